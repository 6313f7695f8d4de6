import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { staleIn } from '../freezes/writers.ts'
import { Register, type Stand } from '../kills/model.ts'
import { doublesIn, readTruth, strayIn, type Billed } from '../plane/truth.ts'
import type { SlotView, WorkloadView } from '../../src/core/life/view/view.ts'

// Whoever says that nothing was lost must be able to see that something was.

const kept = (text: string, replicas = 1): Stand => ({ kind: 'kept', text, want: 'running', replicas })

describe('what a client remembers', () => {
  test('an acknowledged apply that is not there is a loss', () => {
    const register = new Register()
    expect(register.ended({ kind: 'apply', text: 'one' }, 'done')).toBe(true)
    expect(register.seen({ kind: 'absent' })).toBe(false)
  })

  test('an older text than the one that was acknowledged is a loss', () => {
    const register = new Register()
    register.ended({ kind: 'apply', text: 'one' }, 'done')
    register.ended({ kind: 'apply', text: 'two' }, 'done')
    expect(register.seen(kept('one'))).toBe(false)
  })

  test('a request without an answer may have been carried out or not', () => {
    for (const found of [kept('one'), kept('two')]) {
      const register = new Register()
      register.ended({ kind: 'apply', text: 'one' }, 'done')
      register.ended({ kind: 'apply', text: 'two' }, 'unknown')
      expect(register.seen(found)).toBe(true)
      // Once it was seen, it stays so.
      expect(register.seen(found)).toBe(true)
    }
  })

  test('what was seen once must not be otherwise later', () => {
    const register = new Register()
    register.ended({ kind: 'apply', text: 'one' }, 'unknown')
    expect(register.seen(kept('one'))).toBe(true)
    expect(register.seen({ kind: 'absent' })).toBe(false)
  })

  test('a workload that is said not to be there after it was acknowledged is a loss', () => {
    const register = new Register()
    register.ended({ kind: 'apply', text: 'one' }, 'done')
    expect(register.ended({ kind: 'scale', replicas: 2 }, 'refused')).toBe(false)
  })

  test('a workload that was never asked for is an invention', () => {
    expect(new Register().seen(kept('one'))).toBe(false)
  })

  test('what was removed may be leaving or gone, and may be applied anew with the replicas of its manifest', () => {
    const register = new Register()
    register.ended({ kind: 'apply', text: 'one' }, 'done')
    register.ended({ kind: 'scale', replicas: 3 }, 'done')
    register.ended({ kind: 'remove' }, 'done')
    expect(register.ended({ kind: 'apply', text: 'two' }, 'refused')).toBe(true)
    expect(register.ended({ kind: 'apply', text: 'two' }, 'done')).toBe(true)
    expect(register.seen(kept('two', 1))).toBe(true)
  })
})

const billed = (id: string, from: number, to: number, slot = 'w/u/0'): Billed => ({
  id,
  provider: 'p',
  slot,
  attempt: `attempt-${id}`,
  createdMs: from,
  endsMs: to,
})

describe('what the clouds bill', () => {
  test('two instances of a slot one after the other are fine, and two at a time are a double', () => {
    expect(doublesIn([billed('a', 0, 10), billed('b', 10, 20)])).toEqual([])
    expect(doublesIn([billed('a', 0, 11), billed('b', 10, 20)])).toHaveLength(1)
    expect(doublesIn([billed('a', 0, 11), billed('b', 10, 20, 'w/u/1')])).toEqual([])
  })

  test('one name for two attempts is told', () => {
    expect(doublesIn([billed('a', 0, 10), { ...billed('a', 20, 30), attempt: 'another' }])).toHaveLength(1)
  })

  test('an orphan is a leak, and a placement without an instance is a loss', () => {
    const slot = { slot: '0', attempt: 'attempt-a', phase: 'running', instance: 'a' } as SlotView
    const view = { name: 'w', slots: [slot] } as unknown as WorkloadView
    const running = billed('a', 0, Number.POSITIVE_INFINITY)
    expect(strayIn([running], [view], 5)).toEqual([])
    expect(strayIn([running], [], 5)).toHaveLength(1)
    expect(strayIn([billed('a', 0, 4)], [view], 5)).toHaveLength(1)
  })

  test('the last line of an instance counts, and a line that was cut off does not', () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-truth-'))
    afterAll(() => rmSync(folder, { recursive: true, force: true }))
    mkdirSync(join(folder, 'providers', 'p'), { recursive: true })
    const tag = { workload: 'w', uid: 'u', slot: '0', attempt: 'x' }
    const lines = [
      { id: 'i', tag, createdMs: 1, endsMs: null },
      { id: 'i', tag, createdMs: 1, endsMs: 7 },
    ].map((line) => JSON.stringify(line))
    writeFileSync(join(folder, 'providers', 'p', 'billing.jsonl'), `${lines.join('\n')}\n{"id":"j","ta`)
    expect(readTruth(folder)).toMatchObject([{ id: 'i', slot: 'w/u/0', endsMs: 7 }])
  })
})

test('a write in a term by somebody who did not lead it is stale', () => {
  const written = { number: 1, term: 2, kind: 'placement', key: 'k' }
  const leaders = new Map([
    [1, 'plane_a'],
    [2, 'plane_b'],
  ])
  expect(staleIn([{ ...written, writer: 'plane_b' }], leaders)).toEqual([])
  expect(staleIn([{ ...written, writer: 'plane_a' }], leaders)).toHaveLength(1)
})
