import { describe, expect, test } from 'vitest'
import type { Committed } from '../ports/store.ts'
import type { PreparedCommit } from './evaluate.ts'
import { groupCommits } from './group.ts'

const asked = (term: number, writes = 1): PreparedCommit<string> => ({
  term,
  writes: Array.from({ length: writes }, (_, at) => ({ kind: 'setting', key: `k${at}`, version: undefined, body: '' })),
  events: [],
  audit: [],
})

/** Answers every commit with its own term, and remembers which came together. */
function recording(fails: (batch: readonly PreparedCommit<string>[]) => boolean = () => false): {
  readonly sizes: number[]
  readonly write: (batch: readonly PreparedCommit<string>[]) => Promise<readonly Committed[]>
} {
  const sizes: number[] = []
  return {
    sizes,
    write: (batch) => {
      sizes.push(batch.length)
      if (fails(batch)) return Promise.reject(new Error('the disk is gone'))
      return Promise.resolve(batch.map(({ term }) => ({ kind: 'fenced', term: term ?? 0 })))
    },
  }
}

describe('groupCommits', () => {
  test('what is asked for at once is written at once, and everybody gets the own answer', async () => {
    const { sizes, write } = recording()
    const group = groupCommits(write)
    const answers = await Promise.all(Array.from({ length: 64 }, (_, at) => group.commit(asked(at))))
    expect(answers.map((answer) => answer.kind === 'fenced' && answer.term)).toEqual(answers.map((_, at) => at))
    expect(sizes).toEqual([64])
  })

  test('callers who ask again as soon as they are answered stay together', async () => {
    const { sizes, write } = recording()
    const group = groupCommits(write)
    const caller = async (): Promise<void> => {
      for (let round = 0; round < 5; round++) await group.commit(asked(round))
    }
    await Promise.all(Array.from({ length: 10 }, caller))
    expect(sizes).toEqual([10, 10, 10, 10, 10])
  })

  test('batches are bounded, by commits and by what is in them', async () => {
    const { sizes, write } = recording()
    const group = groupCommits(write)
    await Promise.all(Array.from({ length: 1_200 }, () => group.commit(asked(0))))
    expect(sizes).toEqual([500, 500, 200])
    sizes.length = 0
    await Promise.all([9_000, 1, 4_000, 1_000, 1].map((writes) => group.commit(asked(0, writes))))
    expect(sizes).toEqual([1, 2, 2])
  })

  test('a batch that fails rejects its own commits, and the next is written', async () => {
    const { write } = recording((batch) => batch.some(({ term }) => term === 13))
    const group = groupCommits(write)
    const failed = await Promise.allSettled([group.commit(asked(1)), group.commit(asked(13))])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await group.commit(asked(2))).toEqual({ kind: 'fenced', term: 2 })
  })

  test('a commit whose signal is aborted while it waits is not written, and the others are', async () => {
    const { sizes, write } = recording()
    const group = groupCommits(write)
    const stop = new AbortController()
    const given = [group.commit(asked(1)), group.commit(asked(2), stop.signal), group.commit(asked(3))]
    stop.abort('enough')
    const answers = await Promise.allSettled(given)
    expect(answers[1]).toEqual({ status: 'rejected', reason: 'enough' })
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(sizes).toEqual([2])
  })

  test('closing waits for what was taken and takes no more', async () => {
    const { sizes, write } = recording()
    const group = groupCommits(write)
    const taken = group.commit(asked(1))
    await group.close()
    expect(sizes).toEqual([1])
    expect(await taken).toEqual({ kind: 'fenced', term: 1 })
    await expect(group.commit(asked(2))).rejects.toThrow(/closed/)
  })
})
