import { describe, expect, test } from 'vitest'
import { recordedService } from '../../controller/step/recording.suite.ts'
import { FULL_LINE } from '../../controller/step/recording.ts'
import { EXIT } from '../cli.ts'
import { berth } from '../harness.suite.ts'

const LINES = recordedService()

async function replay(edit: (lines: readonly string[]) => readonly string[], ...flags: readonly string[]) {
  const text = `${edit(await LINES).join('\n')}\n`
  return berth(['debug', 'replay', 'leader.jsonl', ...flags], { files: { 'leader.jsonl': text } })
}

describe('berth debug replay', () => {
  test('tells every decision, and that it is the same', async () => {
    const { code, out, err } = await replay((lines) => lines)
    expect([code, err]).toEqual([EXIT.ok, ''])
    expect(out).toContain('  write  default/demo: placement default/demo/0 reserved at north, event placed\n')
    expect(out).toContain('  call   north: launch default/demo/0\n')
    expect(out).toContain('  call   north: list\n')
    expect(out).toMatch(/\nsame: 1 term, \d+ events, \d+ commits, \d+ calls, recorded by 1\.2\.3\n$/)
  })

  test('shows one workload alone', async () => {
    const { out } = await replay((lines) => lines, '--workload', 'default/demo')
    expect(out).toContain('launch default/demo/0')
    expect(out).not.toContain('north: list')
    const { out: none } = await replay((lines) => lines, '--workload', 'default/other')
    expect(none).toMatch(/^same: 1 term/)
  })

  test('gives data to scripts', async () => {
    const { code, out } = await replay((lines) => [...lines, FULL_LINE], '-o', 'json')
    expect(code).toBe(EXIT.ok)
    const report = JSON.parse(out)
    expect(report).toMatchObject({
      same: true,
      version: '1.2.3',
      whole: false,
      terms: 1,
      different: 0,
      differences: [],
    })
    expect(report.decisions).toContainEqual(
      expect.objectContaining({ calls: [{ provider: 'north', call: 'launch', slots: ['default/demo/0'] }] }),
    )
  })

  test('shows where this version decides differently, and ends with 1', async () => {
    const { code, out } = await replay((lines) =>
      lines.map((line) => line.replaceAll('"provider":"north","kind":"launch"', '"provider":"south","kind":"launch"')),
    )
    expect(code).toBe(EXIT.differs)
    expect(out).toMatch(/\ndifferent: 1 event of 1 term, /)
    expect(out).toContain('recorded:\n')
    expect(out).toContain('and now:\n')
  })

  test('leaves out a last line that was never finished', async () => {
    const text = `${(await LINES).join('\n')}\n{"event":{"ki`
    const { code } = await berth(['debug', 'replay', 'a.jsonl'], { files: { 'a.jsonl': text } })
    expect(code).toBe(EXIT.ok)
  })

  test.each([
    ['{"berth":"v1"}', 'Line 2 of leader.jsonl is not a line of a recording.'],
    ['kind: service', 'Line 2 of leader.jsonl is not a line of a recording.'],
    ['{"begin":{}}\n{"event":{"kind":"time","nowMs":1,"wallMs":1},"did":{"calls":[7]}}', 'Line 3 of leader.jsonl'],
  ])('refuses %s', async (line, message) => {
    const { code, err } = await replay(([head = '', ...lines]) => [head, line, ...lines])
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain(`RECORDING_UNREADABLE\n    ${message}`)
  })
})
