import { describe, expect, test } from 'vitest'
import type { Placement } from '../core/life/placement.ts'
import type { LogsQuery, ProviderView } from '../ports/berth.ts'
import type { LogLine, LogWant } from '../ports/provider.ts'
import type { ServiceDeps } from './deps.ts'
import { followLogs } from './logs.ts'
import { attemptsOf } from './workload/attempts.ts'
import { service, NOW_MS, putWorkload, refusalOf } from './platform.suite.ts'
import type { Facts } from '../core/event/event.ts'
import { otherVersion } from '../core/event/other-version.suite.ts'
import { UserError } from '../core/base/problem.ts'

const AT = { project: 'default', name: 'a' }
const NEVER = new AbortController().signal

/** A workload whose slots printed these lines, by attempt. */
async function printed(lines: Readonly<Record<string, readonly string[]>>): Promise<ServiceDeps> {
  const deps: ServiceDeps = {
    ...service(),
    providers: {
      ...service().providers,
      logs: ({ ref }) => linesOf(lines[ref.tag.attempt] ?? []),
    },
  }
  await putWorkload(deps, { name: 'a' })
  await deps.store.commit({
    writes: Object.keys(lines).map((attempt, at) => ({
      kind: 'placement' as const,
      key: `default/a/${at}`,
      body: placed(attempt, String(at)),
    })),
  })
  return deps
}

function placed(attempt: string, slot: string): Placement {
  const tag = { owner: 'o', ...AT, workload: 'a', uid: 'uid-a', slot, epoch: 1, attempt }
  // Nothing else of a placement is looked at.
  const reserved = { gpus: 0, usdPerHour: 0 }
  return {
    phase: 'running',
    instance: 'i',
    shape: '',
    reserved,
    order: { tag, place: { provider: 'p' } },
  } as unknown as Placement
}

async function* linesOf(texts: readonly string[]): AsyncGenerator<LogLine> {
  for (const text of texts) yield { atMs: undefined, stream: 'out', text }
}

async function* markedLines(texts: readonly string[], { tail, after }: LogWant): AsyncGenerator<LogLine> {
  const from = after === undefined ? texts.length - (tail ?? texts.length) : Number(after.slice(1))
  for (const [at, text] of texts.entries())
    if (at >= from) yield { atMs: undefined, stream: 'out', text, mark: `m${at + 1}` }
}

interface Given extends Partial<LogsQuery> {
  readonly position?: string
}

async function read(deps: ServiceDeps, { position, ...given }: Given = {}) {
  const query = { slot: undefined, follow: false, tail: undefined, ...given }
  const ask = { at: AT, query, position, signal: NEVER, requestId: 'r' }
  return Array.fromAsync(followLogs(deps, ask))
}

describe('logs', () => {
  test('of all slots come, each in its order and with its name', async () => {
    const entries = await read(await printed({ x: ['x1', 'x2', 'x3'], y: ['y1'] }))
    expect(entries.filter(({ line }) => line.slot === '0').map(({ line }) => line.text)).toEqual(['x1', 'x2', 'x3'])
    expect(entries.filter(({ line }) => line.slot === '1').map(({ line }) => line.text)).toEqual(['y1'])
  })

  test('of a slot with a successor are those of what is in charge, and of the seat that is named', async () => {
    const seated = async (...phases: readonly Placement['phase'][]): Promise<ServiceDeps> => {
      const deps = await printed({ x: ['old'] })
      const [first, next] = [placed('x', '0'), placed('y', '0.b')]
      const later = { ...next.order, tag: { ...next.order.tag, epoch: 2 } }
      const both = [first, { ...next, order: later }].map((one, at) => ({ ...one, phase: phases[at] ?? one.phase }))
      await deps.store.commit({
        writes: both.map((body) => ({ kind: 'placement' as const, key: `default/a/${body.order.tag.slot}`, body })),
      })
      return { ...deps, providers: { ...deps.providers, logs: ({ ref }) => linesOf([ref.tag.attempt]) } }
    }
    const texts = async (deps: ServiceDeps, slot?: string) => (await read(deps, { slot })).map(({ line }) => line.text)
    const coming = await seated('running', 'starting')
    expect([await texts(coming, '0'), await texts(coming, '0.b'), await texts(coming)]).toEqual([
      ['x'],
      ['y'],
      ['x', 'y'],
    ])
    const leaving = await seated('stopping', 'running')
    expect([await texts(leaving, '0'), await texts(leaving)]).toEqual([['y'], ['x', 'y']])
    const over = await seated('gone', 'running')
    expect([await texts(over, '0'), await texts(over)]).toEqual([['y'], ['y']])
  })

  test('of one slot, the last so many', async () => {
    const deps = await printed({ x: ['x1', 'x2', 'x3'], y: ['y1'] })
    expect((await read(deps, { slot: '0', tail: 2 })).map(({ line }) => line.text)).toEqual(['x2', 'x3'])
    expect((await read(deps, { slot: '0', tail: 0 })).map(({ line }) => line.text)).toEqual([])
    expect((await read(deps, { slot: '0', tail: 9 })).map(({ line }) => line.text)).toEqual(['x1', 'x2', 'x3'])
  })

  test('go on after a position, whichever line it was', async () => {
    const texts = Array.from({ length: 200 }, (_, at) => `line ${at}`)
    const deps = await printed({ x: texts })
    const all = await read(deps)
    for (const at of [0, 57, 198, 199]) {
      const rest = await read(deps, { tail: 3, position: all[at]?.position ?? '' })
      expect(rest.map(({ line }) => line.text)).toEqual(texts.slice(at + 1))
    }
    expect(await read(deps, { position: 'x=1;drop,=,x=-1,x=99999999999999' })).toHaveLength(200)
  })

  test('go on in every slot from where it was, however the slots took turns', async () => {
    const texts = (slot: string) => Array.from({ length: 90 }, (_, at) => `${slot} ${at}`)
    const deps = await printed({ x: texts('x'), y: texts('y') })
    const all = (await read(deps)).map(({ line, position }) => ({ text: line.text, position }))
    for (const at of [0, 40, 64, 130]) {
      const rest = (await read(deps, { position: all[at]?.position ?? '' })).map(({ line }) => line.text)
      const seen = all.slice(0, at + 1).map(({ text }) => text)
      expect([...seen, ...rest].toSorted()).toEqual([...texts('x'), ...texts('y')].toSorted())
    }
  })

  test('of many slots have a position for those that come at once, not for each, and still go on from there', async () => {
    const attempts = Array.from({ length: 64 }, (_, at) => `attempt${at}`)
    const texts = (slot: string) => Array.from({ length: 40 }, (_, at) => `${slot} ${at}`)
    const deps = await printed(Object.fromEntries(attempts.map((attempt) => [attempt, texts(attempt)])))
    const all = await read(deps)
    expect(all).toHaveLength(64 * 40)
    expect(all.filter(({ more, position }) => !more && position === undefined)).toEqual([])
    const characters = all.reduce((sum, { position }) => sum + (position ?? '').length, 0)
    expect(characters / all.length).toBeLessThan(30)
    const places = [...all.entries()].filter(([, { position }]) => position !== undefined)
    const [at, { position }] = places[Math.floor(places.length / 2)] ?? [0, { position: '' }]
    const rest = await read(deps, { position: position ?? '' })
    const textsOf = (entries: typeof all) => entries.map(({ line }) => line.text)
    expect([...textsOf(all.slice(0, at + 1)), ...textsOf(rest)].toSorted()).toEqual(textsOf(all).toSorted())
  })

  test('of more than 64 slots are not read together', async () => {
    const deps = await printed(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`x${at}`, ['line']])))
    expect(await refusalOf(read(deps, { tail: 1 }))).toEqual([
      'LOGS_TOO_MANY: a has 65 logs, and at most 64 can be read together.',
    ])
    expect(await read(deps, { slot: '7' })).toHaveLength(1)
  })

  test('are tailed and resumed by the provider where it marks lines: nothing is read twice', async () => {
    const wants: LogWant[] = []
    const texts = Array.from({ length: 9 }, (_, at) => `line ${at + 1}`)
    const unmarked = await printed({ x: texts })
    const logs = (_: unknown, want: LogWant) => {
      wants.push(want)
      return markedLines(texts, want)
    }
    const deps = { ...unmarked, providers: { ...unmarked.providers, logs } }
    const last = await read(deps, { tail: 2 })
    expect(last.map(({ line }) => line)).toEqual(
      ['line 8', 'line 9'].map((text) => ({ atMs: undefined, stream: 'out', text, slot: '0', attempt: 1 })),
    )
    expect(await read(deps, { position: last[0]?.position ?? '' })).toEqual(last.slice(1))
    expect(wants).toEqual([
      { follow: false, tail: 2, after: undefined },
      { follow: false, tail: undefined, after: 'm8' },
    ])
  })

  test('that are shorter than what was seen of them are not waited for', async () => {
    const deps = await printed({ x: ['x1', 'x2'] })
    expect(await read(deps, { position: 'x=500' })).toEqual([])
  })

  describe('of attempts that are over', () => {
    /** Slot 0 runs for the third time; what its attempts printed is kept under their ids. */
    async function restarted(): Promise<ServiceDeps> {
      const deps = await printed({ c: ['third'], x: ['other slot'] })
      const kept: Readonly<Record<string, readonly string[]>> = { a: ['first'], b: ['second'], c: ['third'] }
      const logs: ServiceDeps['providers']['logs'] = ({ ref }) => linesOf(kept[ref.tag.attempt] ?? [])
      const [current] = await deps.store.list('placement', { prefix: 'default/a/0', limit: 1 })
      if (current === undefined) throw new Error('slot 0 is placed')
      const { order } = current.body
      const body = { ...current.body, order: { ...order, tag: { ...order.tag, epoch: 3 } } }
      const happened = (kind: string, epoch: number, facts: Facts) => {
        const event = { atMs: NOW_MS, project: 'default', subject: 'workload/a', kind }
        return otherVersion({ ...event, facts: { slot: '0', epoch, provider: 'p', ...facts } })
      }
      await deps.store.commit({
        writes: [{ kind: 'placement', key: 'default/a/0', body }],
        events: [
          happened('placed', 1, { attempt: 'a' }),
          happened('launched', 1, { attempt: 'a', instance: 'i-1' }),
          happened('ended', 1, { exit: 'exit code 1' }),
          happened('launched', 2, { attempt: 'b', instance: 'i-2' }),
          happened('died', 2, { why: 'died', exit: '' }),
          happened('launched', 3, { attempt: 'c', instance: 'i-3' }),
        ],
      })
      return { ...deps, providers: { ...deps.providers, logs } }
    }

    test.each([
      ['previous', ['second']],
      ['1', ['first']],
      ['b', ['second']],
      ['3', ['third']],
    ])('attempt %s printed %j', async (attempt, texts) => {
      const entries = await read(await restarted(), { attempt })
      expect(entries.map(({ line }) => line.text)).toEqual(texts)
    })

    test('one that there never was is refused with those that there are', async () => {
      const refused = read(await restarted(), { attempt: '9' }).catch((error: UserError) => error.problems)
      expect(await refused).toMatchObject([
        {
          code: 'LOGS_MISSING',
          message: 'a has no attempt 9.',
          hint: expect.stringContaining('Attempts: 1, 2, 3'),
        },
      ])
      const never = await printed({ x: ['x1'] })
      expect(await refusalOf(read(never, { attempt: 'previous' }))).toEqual([
        'LOGS_MISSING: a has no attempt before the latest one.',
      ])
    })

    test('are listed with how they ended', async () => {
      expect(await attemptsOf(await restarted(), AT)).toMatchObject([
        { slot: '0', number: 1, id: 'a', instance: 'i-1', end: 'exit code 1' },
        { slot: '0', number: 2, id: 'b', instance: 'i-2', end: 'died' },
        { slot: '0', number: 3, id: 'c', instance: 'i-3', end: undefined, ended_ms: undefined },
      ])
    })
  })

  test('since a moment leave out what was printed before it, where the time is known', async () => {
    const unmarked = await printed({ x: [] })
    const logs = async function* (_: unknown, want: LogWant): AsyncGenerator<LogLine> {
      expect(want.sinceMs).toBe(20)
      for (const atMs of [10, undefined, 20, 30]) yield { atMs, stream: 'out', text: `${atMs}` }
    }
    const deps = { ...unmarked, providers: { ...unmarked.providers, logs } }
    const entries = await read(deps, { since_ms: 20 })
    expect(entries.map(({ line }) => line.text)).toEqual(['undefined', '20', '30'])
  })

  test.each([false, true])(
    'of a slot that it does not have are refused with those that it has (follow: %s)',
    async (follow) => {
      const deps = await printed({ x0: ['a'], x1: ['b'] })
      const refused = read(deps, { slot: '9', follow })
      expect(await refusalOf(refused)).toEqual(['LOGS_MISSING: a has no slot 9.'])
    },
  )

  test('that a provider does not keep are refused with the name of the provider', async () => {
    const there = { ...service().providers, views: () => [{ name: 'p' } as unknown as ProviderView] }
    const deps = { ...(await printed({ x: [] })), providers: there }
    expect(await refusalOf(read(deps))).toEqual([expect.stringContaining('LOGS_MISSING: p, where slot 0 runs')])
    const why = { why: 'the API has none.', instead: 'Run `logs {instance}`.' }
    const told = { ...deps, providers: { ...there, noLogs: () => why } }
    const problem = await read(told).then(
      () => undefined,
      (error: unknown) => (error instanceof UserError ? error.problems[0] : undefined),
    )
    expect(problem?.message).toContain('keeps no logs that Berth can read. Namely, the API has none.')
    expect(problem?.hint).toMatch(/^Run `logs [^{]+`\.$/)
    const forgotten = { ...deps, providers: service().providers }
    expect(await refusalOf(read(forgotten))).toEqual([
      'LOGS_MISSING: p, where slot 0 runs, is not configured, so Berth cannot reach it.',
    ])
    expect(await refusalOf(read(deps, { slot: '5' }))).toEqual([expect.stringContaining('LOGS_MISSING')])
  })
})
