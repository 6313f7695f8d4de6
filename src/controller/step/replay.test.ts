import { beforeAll, describe, expect, test } from 'vitest'
import { recordedService } from './recording.suite.ts'
import { FULL_LINE } from './recording.ts'
import { replayed, type ReplayedStep } from './replay.ts'

let lines: readonly string[]
beforeAll(async () => {
  lines = await recordedService()
})

function stepsOf(recording: readonly string[]): readonly ReplayedStep[] {
  return [...replayed(recording)].filter((each) => each.kind === 'step')
}

describe('a recording', () => {
  test('has a head, a term, and everything that was decided', () => {
    const [head, begin] = replayed(lines)
    expect(head).toEqual({ kind: 'head', line: 1, version: '1.2.3' })
    expect(begin).toMatchObject({ kind: 'begin', line: 2, term: 1 })
    const steps = stepsOf(lines)
    const calls = steps.flatMap(({ did }) => did.calls.map(({ kind }) => kind))
    expect(calls).toContain('launch')
    const kinds = steps.flatMap(({ did }) => did.commits.flatMap(({ events }) => events.map(({ kind }) => kind)))
    expect(kinds).toEqual(['placed', 'launched', 'up'])
  })

  test('replayed comes to the same, as often as one likes', () => {
    for (const steps of [stepsOf(lines), stepsOf(lines)]) expect(steps.every(({ isSame }) => isSame)).toBe(true)
  })

  test('shows where another decision would be made', () => {
    const dearer = lines.map((line) => line.replaceAll('"usdPerHour":0.8', '"usdPerHour":0.9'))
    const different = stepsOf(
      dearer.map((line, index) => (line.includes('"kind":"offers"') ? line : (lines[index] ?? ''))),
    )
    const wrong = different.filter(({ isSame }) => !isSame)
    expect(wrong.length).toBeGreaterThan(0)
    expect(wrong[0]?.did.commits.length).toBe(1)
  })

  test('says which lines make no sense, and goes on', () => {
    const [, begin = '', ...steps] = lines
    const first = stepsOf(lines)[0]?.line ?? 0
    const odd = [...replayed([steps[0] ?? '', 'no JSON', '{}', begin, ...steps, FULL_LINE])]
    expect(odd.slice(0, 4)).toMatchObject([
      { kind: 'unreadable', line: 1 },
      { kind: 'unreadable', line: 2 },
      { kind: 'unreadable', line: 3 },
      { kind: 'begin', line: 4 },
    ])
    expect(odd.at(-1)).toMatchObject({ kind: 'full' })
    expect(odd.filter((each) => each.kind === 'step').every(({ isSame }) => isSame)).toBe(true)
    expect(first).toBe(3)
  })

  test('of a step that failed fails again, and says how', () => {
    const [head = '', begin = ''] = lines
    const event = { kind: 'rows', rows: null, nowMs: 1, wallMs: 1 }
    const [step] = stepsOf([head, begin, JSON.stringify({ event })])
    expect(step?.isSame).toBe(false)
    expect(step?.did.threw).toContain('not iterable')
    const again = JSON.stringify({ event, did: { threw: step?.did.threw } })
    expect(stepsOf([head, begin, again])[0]?.isSame).toBe(true)
  })
})
