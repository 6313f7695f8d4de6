import { describe, expect, test } from 'vitest'
import type { LogLine } from '../../ports/provider.ts'
import { furnishedBerth, memoryBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words, type Ran, type World } from '../harness.suite.ts'

function printing(texts: readonly string[], line: string, world: World = {}): Promise<Ran> {
  const control = {
    ...furnishedBerth(),
    logs: async function* (): AsyncIterable<LogLine & { slot: string }> {
      for (const text of texts) yield { atMs: NOW_MS, stream: 'out', text, slot: '0' }
    },
  }
  return berth(words(line), { control: () => control, ...world })
}

describe('berth logs', () => {
  test('prints the lines as they are', async () => {
    const { code, out } = await berth(words('logs llama-70b'), { control: furnishedBerth })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('loading\nready\n')
  })

  test('of all with a label come one after the other', async () => {
    const control = memoryBerth()
    for (const name of ['a', 'b', 'c']) {
      const text = MANIFEST.replace('llama-70b', name) + (name === 'c' ? '' : 'labels: { sweep: 7 }\n')
      await control.apply({ project: 'default', text, file: name, idempotencyKey: name })
    }
    const world = { control: () => control }
    expect((await berth(words('logs -l sweep=7 --tail 1'), world)).out).toBe('==> a <==\nready\n\n==> b <==\nready\n')
    const { code, err } = await berth(words('logs -l sweep=7 -f'), world)
    expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('several have the labels: a, b')])
    expect((await berth(words('logs'), world)).code).toBe(EXIT.usage)
  })

  test('says whose line it is where there are several slots, unless one was named', async () => {
    const control = furnishedBerth()
    await control.scale({ project: 'default', name: 'llama-70b' }, { role: undefined, replicas: 2 })
    const world = { control: () => control }
    expect((await berth(words('logs llama-70b'), world)).out).toBe('0 | loading\n0 | ready\n1 | loading\n1 | ready\n')
    expect((await berth(words('logs llama-70b --slot 1'), world)).out).toBe('loading\nready\n')
  })

  test('asks for attempts before, a time and moments', async () => {
    const asked: unknown[] = []
    const control = furnishedBerth()
    const logs: typeof control.logs = (at, query, signal) => {
      asked.push([query.attempt, query.since_ms])
      return control.logs(at, query, signal)
    }
    const world = { control: () => ({ ...control, logs }) }
    for (const line of ['--previous', '--attempt 2', '--since 10m']) await berth(words(`logs llama-70b ${line}`), world)
    expect(asked).toEqual([
      ['previous', undefined],
      ['2', undefined],
      [undefined, NOW_MS - 600_000],
    ])
    const { out } = await berth(words('logs llama-70b -t'), world)
    expect(out).toBe('2026-11-15T10:05:00.000Z loading\n2026-11-15T10:05:00.000Z ready\n')
    expect((await berth(words('logs llama-70b --previous --attempt 2'), world)).code).toBe(EXIT.usage)
  })

  test('says so where --since cannot be heeded', async () => {
    const control = furnishedBerth()
    const logs: typeof control.logs = async function* () {
      for (const text of ['a', 'b']) yield { slot: '0', atMs: undefined, stream: 'out', text }
    }
    const { out, err } = await berth(words('logs llama-70b --since 1m'), { control: () => ({ ...control, logs }) })
    expect(out).toBe('a\nb\n')
    expect(err.match(/does not record when lines are printed/g)).toHaveLength(1)
  })

  test('marks where the next attempt begins', async () => {
    const control = furnishedBerth()
    const logs: typeof control.logs = async function* () {
      for (const attempt of [1, 1, 2])
        yield { slot: '0', attempt, atMs: undefined, stream: 'out', text: `of ${attempt}` }
    }
    const { out } = await berth(words('logs llama-70b -f'), { control: () => ({ ...control, logs }) })
    expect(out).toBe('of 1\nof 1\n--- attempt 2 begins ---\nof 2\n')
  })

  test('of what never started say why', async () => {
    const control = furnishedBerth()
    control.change('llama-70b', { slots: [], problem: 'There is no program pyton3 on this host.' })
    const { out } = await berth(words('logs llama-70b'), { control: () => control })
    expect(out).toBe('llama-70b has printed nothing yet: There is no program pyton3 on this host.\n')
    const followed = await berth(words('logs llama-70b -f'), { control: () => control })
    expect(followed.err).toContain('There is no program pyton3')
  })

  test('nothing printed is a sentence', async () => {
    expect((await printing([], 'logs llama-70b')).out).toBe('llama-70b has printed nothing yet.\n')
  })

  test('followed, JSON is one line each', async () => {
    const { out } = await printing(['a', 'b'], 'logs llama-70b -f -o json')
    const lines = out.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).text)).toEqual(['a', 'b'])
  })

  test('followed, Ctrl-C ends it as it ends other programs; a log that ends by itself is no interruption', async () => {
    const pressed = await printing(['a'], 'logs llama-70b -f', { interrupt: AbortSignal.abort() })
    expect([pressed.code, pressed.out]).toEqual([EXIT.interrupted, 'a\n'])
    expect((await printing(['a'], 'logs llama-70b -f')).code).toBe(EXIT.ok)
  })

  test('what a workload prints cannot steer the terminal, but may be coloured', async () => {
    const nasty = 'a\u001b[31mred\u001b[0m\u001b]0;title\u0007\u001b[2Jb\tc'
    const seen = await printing([nasty], 'logs llama-70b', { columns: 80 })
    expect(seen.out).toBe('a\u001b[31mred\u001b[0m ]0;title  [2Jb\tc\n')
    const piped = await printing([nasty], 'logs llama-70b')
    expect(piped.out).toBe(`${nasty}\n`)
  })

  test('a count is a whole number', async () => {
    const { code, err } = await berth(words('logs llama-70b --tail many'), { control: furnishedBerth })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Write a whole number')
  })
})
