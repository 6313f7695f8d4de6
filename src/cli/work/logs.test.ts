import { describe, expect, test } from 'vitest'
import type { LogLine } from '../../ports/provider.ts'
import type { TestPlane } from '../plane.suite.ts'
import { furnishedPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words, type Ran, type World } from '../harness.suite.ts'

/** One whose programs print these lines. */
async function printingPlane(lines: readonly LogLine[]): Promise<TestPlane> {
  const control = furnishedPlane()
  const cloud = await control.cloud()
  cloud.lines = lines
  return control
}

function lineOf(text: string): LogLine {
  return { atMs: NOW_MS, stream: 'out', text }
}

async function printing(texts: readonly string[], line: string, world: World = {}): Promise<Ran> {
  const control = await printingPlane(texts.map(lineOf))
  return berth(words(line), { control: () => control, ...world })
}

const TWO = [lineOf('loading'), lineOf('ready')]

describe('berth logs', () => {
  test('prints the lines as they are', async () => {
    const { code, out } = await printing(['loading', 'ready'], 'logs llama-70b')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('loading\nready\n')
  })

  test('of all with a label come one after the other', async () => {
    const texts = ['a', 'b', 'c'].map(
      (name) => MANIFEST.replace('llama-70b', name) + (name === 'c' ? '' : 'labels: { sweep: 7 }\n'),
    )
    const control = planeOf(texts)
    const cloud = await control.cloud()
    cloud.lines = TWO
    const world = { control: () => control }
    expect((await berth(words('logs -l sweep=7 --tail 1'), world)).out).toBe('==> a <==\nready\n\n==> b <==\nready\n')
    const { code, err } = await berth(words('logs -l sweep=7 -f'), world)
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('several have the labels: a, b')])
    expect((await berth(words('logs'), world)).code).toBe(EXIT.usage)
  })

  test('says whose line it is where there are several slots, unless one was named', async () => {
    const control = await printingPlane(TWO)
    await control.scale({ project: 'default', name: 'llama-70b', role: undefined, replicas: 2 })
    await control.pass(10)
    const world = { control: () => control }
    expect((await berth(words('logs llama-70b'), world)).out).toBe('0 | loading\n1 | loading\n0 | ready\n1 | ready\n')
    expect((await berth(words('logs llama-70b --slot 1'), world)).out).toBe('loading\nready\n')
  })

  test('asks for attempts before, a time and moments', async () => {
    const control = await printingPlane(TWO)
    const world = { control: () => control }
    for (const line of ['--previous', '--attempt 2', '--since 10m']) await berth(words(`logs llama-70b ${line}`), world)
    const asked = control.sent.filter(({ path }) => path.endsWith('/logs')).map(({ query }) => query)
    expect(asked).toMatchObject([{ attempt: 'previous' }, { attempt: '2' }, { since_ms: `${NOW_MS - 600_000}` }])
    const { out } = await berth(words('logs llama-70b -t'), world)
    expect(out).toBe('2026-11-15T10:05:00.000Z loading\n2026-11-15T10:05:00.000Z ready\n')
    expect((await berth(words('logs llama-70b --previous --attempt 2'), world)).code).toBe(EXIT.usage)
  })

  test('says so where --since cannot be heeded', async () => {
    const control = await printingPlane(['a', 'b'].map((text) => ({ ...lineOf(text), atMs: undefined })))
    const { out, err } = await berth(words('logs llama-70b --since 1m'), { control: () => control })
    expect(out).toBe('a\nb\n')
    expect(err.match(/does not record when lines are printed/g)).toHaveLength(1)
  })

  test('marks where the next attempt begins', async () => {
    const control = planeOf([jobOf({ seconds: 20, exits: '1,0' })])
    const { out } = await berth(words('logs llama-70b -f'), { control: () => control })
    expect(out).toBe('line 1\n--- attempt 2 begins ---\nline 1\n')
  })

  test('of what never started say why', async () => {
    const control = furnishedPlane()
    const trouble = { atMs: NOW_MS, sinceMs: NOW_MS, slot: '0', text: 'There is no program pyton3 on this host.' }
    await control.rewrite('llama-70b', { status: { failures: 1, trouble }, slot: undefined })
    const { code, err } = await berth(words('logs llama-70b'), { control: () => control })
    expect([code, err]).toEqual([EXIT.invalid, expect.stringContaining('LOGS_MISSING')])
    expect(err).toContain('has started, so there are no logs. There is no program pyton3 on this host.\n')
  })

  test('nothing printed is a sentence', async () => {
    expect((await printing([], 'logs llama-70b')).out).toBe('llama-70b has printed nothing yet.\n')
  })

  test('followed, JSON is one line each', async () => {
    const { out } = await printing(['a', 'b'], 'logs llama-70b -f -o json', { interruptAfter: 2 })
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['a', 'b'])
  })

  test('followed, Ctrl-C ends it as it ends other programs; a log that ends by itself is no interruption', async () => {
    const pressed = await printing(['a'], 'logs llama-70b -f', { interruptAfter: 1 })
    expect([pressed.code, pressed.out]).toEqual([EXIT.interrupted, 'a\n'])
    const ended = planeOf([jobOf({ seconds: 5 })])
    expect(await berth(words('logs llama-70b -f'), { control: () => ended })).toMatchObject({
      code: EXIT.ok,
      out: 'line 1\n',
    })
  })

  test('what a workload prints cannot steer the terminal, but may be coloured', async () => {
    const nasty = 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2Jb\tc'
    const seen = await printing([nasty], 'logs llama-70b', { columns: 80 })
    expect(seen.out).toBe('a\u001b[31mred\u001b[0m ]0;title  [2Jb\tc\n')
    const piped = await printing([nasty], 'logs llama-70b')
    expect(piped.out).toBe(`${nasty}\n`)
  })

  test('a count is a whole number', async () => {
    const { code, err } = await berth(words('logs llama-70b --tail many'), { control: furnishedPlane })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Write a whole number')
  })
})
