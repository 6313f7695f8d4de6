import { describe, expect, test } from 'vitest'
import { furnishedBerth, memoryBerth, type MemoryBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, NOW_MS, words } from '../harness.suite.ts'

function eventful(): MemoryBerth {
  const control = furnishedBerth()
  control.happen('placed', { slot: '0', provider: 'nebius', region: 'eu', usd_per_hour: 9.4, gpus: 4 }, 2 * 86_400_000)
  control.happen('refused', { slot: '1', provider: 'lambda', class: 'SOLD_OUT', until: NOW_MS + 600_000 }, 0)
  return control
}

describe('berth events', () => {
  test('tells what happened, a line each, with relative times', async () => {
    const { code, out } = await berth(words('events llama-70b'), { control: eventful })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`now               accepted       1 replica, by ada
2026-11-13 10:05  placed         0 on nebius/eu, 4 GPUs, $9.40/h
now               refused        1 by lambda: sold out; remembered for 10 min
`)
  })

  test('names the subject where there may be several', async () => {
    expect((await berth(['events'], { control: eventful })).out).toContain('accepted       llama-70b         1 replica')
  })

  test('--since leaves out what is older, --tail all but the last', async () => {
    expect((await berth(words('events --since 1h'), { control: eventful })).out).not.toContain('placed')
    const { out } = await berth(words('events --tail 1 -o json'), { control: eventful })
    expect(JSON.parse(out).map((event: { kind: string }) => event.kind)).toEqual(['refused'])
  })

  test('followed, --tail shows the last of what there is, too', async () => {
    const { out } = await berth(words('events -f --tail 1 -o json'), { control: eventful })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual(['refused'])
  })

  test('-l shows those of workloads with the label', async () => {
    const control = eventful()
    control.change('llama-70b', { labels: { team: 'ml' } })
    control.happen('up', { name: 'other', slot: '0' })
    const world = { control: () => control }
    const kinds = async (line: string): Promise<unknown> =>
      JSON.parse((await berth(words(line), world)).out).map((event: { kind: string }) => event.kind)
    expect(await kinds('events -l team=ml -o json')).toEqual(['accepted', 'placed', 'refused'])
    expect(await kinds('events -l team=ml --tail 2 -o json')).toEqual(['placed', 'refused'])
    expect(await kinds('events -l team!=ml -o json')).toEqual([])
    expect((await berth(words('events llama-70b -l team=ml'), world)).code).toBe(EXIT.usage)
  })

  test('nothing is a sentence', async () => {
    expect((await berth(['events'], { control: memoryBerth })).out).toBe('Nothing has happened yet.\n')
    const control = (): MemoryBerth => {
      const quiet = memoryBerth()
      quiet.happen('up', { slot: '0' }, 7_200_000)
      return quiet
    }
    expect((await berth(words('events --since 1h'), { control })).out).toBe('Nothing happened in this time.\n')
  })

  test('followed, JSON is one line each', async () => {
    const { out } = await berth(words('events -f -o json'), { control: eventful })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).seq),
    ).toEqual([1, 2, 3])
  })

  test('followed, lines say when it was by the clock', async () => {
    const { code, out } = await berth(words('events llama-70b -f'), { control: eventful })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`10:05:00Z         accepted       1 replica, by ada
2026-11-13 10:05  placed         0 on nebius/eu, 4 GPUs, $9.40/h
10:05:00Z         refused        1 by lambda: sold out; remembered for 10 min
`)
  })

  test('followed, Ctrl-C ends it as it ends other programs', async () => {
    const abort = new AbortController()
    const control = eventful()
    const events: typeof control.events = async function* (query, signal) {
      yield* control.events(query, signal)
      abort.abort()
    }
    const { code, out } = await berth(words('events -f'), {
      control: () => ({ ...control, events }),
      interrupt: abort.signal,
    })
    expect(code).toBe(EXIT.interrupted)
    expect(out.trimEnd().split('\n')).toHaveLength(3)
  })

  test('an unknown workload is refused, with a suggestion', async () => {
    const { code, err } = await berth(words('events llama-70'), { control: eventful })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean llama-70b?')
  })

  test('a time is written as a time', async () => {
    const { code, err } = await berth(words('events --since yesterday'), { control: eventful })
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Write a time such as')
  })
})
