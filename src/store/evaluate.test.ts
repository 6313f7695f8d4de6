import { describe, expect, test } from 'vitest'
import { evaluate, judgeLead, judgeYield, NO_LEASE, type PreparedCommit, type StoreState } from './evaluate.ts'

const NOTHING: StoreState = { seq: 10, term: 1, versionOf: () => 0 }
const asked = (body: string | undefined, version?: number): PreparedCommit<string> => ({
  term: undefined,
  writes: [{ kind: 'setting', key: 'x', version, body }],
  events: [],
  audit: [],
})

describe('evaluate', () => {
  test('later commits of a batch see what earlier ones did, and each row is written once', () => {
    const { answers, rows, seq } = evaluate(NOTHING, [asked('a', 0), asked('b', 0), asked('c', 1)])
    expect(answers).toMatchObject([
      { kind: 'done', versions: [1], seq: 11 },
      { kind: 'conflict', version: 1 },
      { kind: 'done', versions: [2], seq: 12 },
    ])
    expect(rows).toEqual([{ kind: 'setting', key: 'x', version: 2, seq: 12, body: 'c' }])
    expect(seq).toBe(12)
  })

  test('a row that came and went in one batch leaves its mark', () => {
    const { rows } = evaluate(NOTHING, [asked('a', 0), asked(undefined, 1)])
    expect(rows).toEqual([{ kind: 'setting', key: 'x', version: 0, seq: 12, body: undefined }])
  })

  test('rows are in the order of their seq, also when one was written again', () => {
    const other: PreparedCommit<string> = {
      ...asked('o'),
      writes: [{ kind: 'setting', key: 'o', version: undefined, body: 'o' }],
    }
    const { rows } = evaluate(NOTHING, [asked('a'), other, asked('b')])
    expect(rows.map(({ key, seq }) => [key, seq])).toEqual([
      ['o', 12],
      ['x', 13],
    ])
  })

  test('a wrong term is told before a conflict: whoever does not lead learns nothing else', () => {
    expect(evaluate(NOTHING, [{ ...asked('a', 7), term: 2 }]).answers).toEqual([{ kind: 'fenced', term: 1 }])
  })
})

describe('judgeLead', () => {
  const held = judgeLead(NO_LEASE, { holder: 'one', ttlMs: 100 }, 1_000).lease

  test('the lease runs out at its end, not before', () => {
    expect(judgeLead(held, { holder: 'two', ttlMs: 100 }, 1_099).answer).toMatchObject({ kind: 'following', leftMs: 1 })
    expect(judgeLead(held, { holder: 'two', ttlMs: 100 }, 1_100).answer).toEqual({ kind: 'leading', term: 2 })
  })

  test('a holder that renews late keeps its term if nobody else has led since', () => {
    expect(judgeLead(held, { holder: 'one', ttlMs: 100 }, 9_000).answer).toEqual({ kind: 'leading', term: 1 })
  })

  test('a clock that was set back keeps a dead leader in office no longer than it asked for', () => {
    const seen = judgeLead(held, { holder: 'two', ttlMs: 100 }, 10)
    expect(seen.answer).toMatchObject({ kind: 'following', leftMs: 100 })
    expect(judgeLead(seen.lease, { holder: 'two', ttlMs: 100 }, 110).answer).toEqual({ kind: 'leading', term: 2 })
  })

  test('a term is never given twice, also after it was given back', () => {
    const back = judgeYield(held, 'one')
    expect(judgeLead(back, { holder: 'one', ttlMs: 100 }, 1_001).answer).toEqual({ kind: 'leading', term: 2 })
  })
})
