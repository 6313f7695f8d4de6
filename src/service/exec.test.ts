import { describe, expect, test } from 'vitest'
import type { Placement } from '../core/life/placement.ts'
import type { ProviderView } from '../ports/berth.ts'
import type { Answer, Executed } from '../ports/provider.ts'
import type { ServiceDeps, ServiceProviders } from './deps.ts'
import { execInWorkload } from './exec.ts'
import { ADMIN, service, putWorkload, refusalOf, trailOf } from './platform.suite.ts'

const AT = { project: 'default', name: 'a' }

/** A workload that runs in these slots, next to which `exec` runs programs. */
async function running(slots: readonly string[], exec?: ServiceProviders['exec']): Promise<ServiceDeps> {
  const deps = { ...service(), providers: { ...service().providers, ...(exec && { exec }) } }
  await putWorkload(deps, { name: 'a' })
  await deps.store.commit({
    writes: slots.map((slot) => {
      const tag = { owner: 'o', project: 'default', workload: 'a', uid: 'uid-a', slot, epoch: 1, attempt: `x${slot}` }
      const order = { tag, place: { provider: 'p' } }
      // Nothing else of a placement is looked at.
      const body = { phase: 'running', instance: 'i', order } as unknown as Placement
      return { kind: 'placement' as const, key: `default/a/${slot}`, body }
    }),
  })
  return deps
}

async function echo(argv: readonly string[]): Promise<Answer<Executed>> {
  return { ok: true, value: { code: 3, out: argv.join(' '), err: 'e' } }
}

function exec(deps: ServiceDeps, slot?: string) {
  const ask = { at: AT, slot, command: ['echo', 's3cret'], timeout_ms: 1000, requestId: 'r' }
  return execInWorkload(deps, ADMIN, { ...ask, signal: new AbortController().signal })
}

/** Nobody waits in tests: time never runs out. */
const patient = { sleep: () => new Promise<void>(() => {}) }

describe('exec', () => {
  test('runs a program next to the slot, and records who did it without its arguments', async () => {
    const seen: string[] = []
    const run: ServiceProviders['exec'] = ({ provider, ref }, argv) => {
      seen.push(`${provider} ${ref.tag.attempt} ${ref.instance}`)
      return echo(argv)
    }
    const deps = { ...(await running(['0', '1'], run)), timers: patient }
    expect(await exec(deps, '1')).toEqual({ slot: '1', code: 3, out: 'echo s3cret', err: 'e' })
    expect(seen).toEqual(['p x1 i'])
    const trail = await trailOf(deps)
    expect(trail).toEqual(['ada exec default workload/a {"slot":"1","program":"echo","arguments":1}'])
    expect(trail.join()).not.toContain('s3cret')
  })

  test('as Berth’s own user takes the same word of an administrator as work does', async () => {
    const deps = await running(['0'], (_, argv) => echo(argv))
    const walled = { ...deps, timers: patient, providers: { ...deps.providers, unwalled: () => ['p'] } }
    const ask = { at: AT, slot: undefined, command: ['id'], timeout_ms: 1000, requestId: 'r' }
    const writer = { name: 'wim', role: 'writer', projects: ['default'] } as const
    const run = () => execInWorkload(walled, writer, { ...ask, signal: new AbortController().signal })
    expect((await refusalOf(run()))[0]).toContain('NO_PROVIDER_FOR_PROJECT: Programs on p run as Berth’s own user')
    const limits = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined, processes: true }
    await deps.store.commit({ writes: [{ kind: 'project', key: 'default', body: limits }] })
    expect(await run()).toMatchObject({ out: 'id' })
  })

  test.each([
    [[], undefined, 'EXEC_IMPOSSIBLE: No slot of a runs now.'],
    [['0', '1'], undefined, 'EXEC_IMPOSSIBLE: a runs in 2 slots.'],
    [['0'], '7', 'EXEC_IMPOSSIBLE: Slot 7 of a does not run now.'],
  ])('in %j, slot %s is refused: %s', async (slots, slot, message) => {
    const deps = { ...(await running(slots, (_, argv) => echo(argv))), timers: patient }
    expect(await refusalOf(exec(deps, slot))).toEqual([message])
  })

  test('a provider that cannot run commands next to a workload is named', async () => {
    const deps = { ...(await running(['0'])), timers: patient }
    const there = { name: 'p' } as unknown as ProviderView
    const known = { ...deps, providers: { ...deps.providers, views: () => [there] } }
    expect(await refusalOf(exec(known))).toEqual([
      'EXEC_IMPOSSIBLE: p, where slot 0 runs, cannot run commands next to a workload.',
    ])
  })

  test('a provider that is not configured gets another message', async () => {
    const deps = { ...(await running(['0'])), timers: patient }
    expect(await refusalOf(exec({ ...deps, providers: { ...deps.providers, views: () => [] } }))).toEqual([
      'EXEC_IMPOSSIBLE: p, where slot 0 runs, is not configured, so Berth cannot reach it.',
    ])
  })

  test('what takes too long is ended, and what fails says why', async () => {
    const ended: boolean[] = []
    const endless: ServiceProviders['exec'] = (_source, _argv, { signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(true)
          reject(new Error('given up'))
        })
      })
    expect(await refusalOf(exec(await running(['0'], endless)))).toEqual([
      'EXEC_FAILED: echo did not end within 1 s and was stopped.',
    ])
    expect(ended).toEqual([true])
    const refused = async (): Promise<Answer<Executed>> => {
      return { ok: false, fault: { class: 'BAD_REQUEST', message: 'There is no program echo on this host.' } }
    }
    const deps = { ...(await running(['0'], refused)), timers: patient }
    expect(await refusalOf(exec(deps))).toEqual(['EXEC_FAILED: There is no program echo on this host.'])
  })

  test('one token has eight at once, all have 32, administrators among them; what has ended makes room', async () => {
    const ends: (() => void)[] = []
    const endless: ServiceProviders['exec'] = () =>
      new Promise((resolve) => ends.push(() => resolve({ ok: true, value: { code: 0, out: '', err: '' } })))
    const deps = { ...(await running(['0'], endless)), timers: patient }
    const ask = { at: AT, slot: undefined, command: ['sleep', '5'], timeout_ms: 1000, requestId: 'r' }
    const as = (name: string, role: 'writer' | 'admin' = 'writer') =>
      execInWorkload(deps, { name, role, projects: ['default'] }, { ...ask, signal: new AbortController().signal })
    const one = Array.from({ length: 300 }, () => as('wim').catch((error: unknown) => error))
    const refused = await Promise.all(one.slice(8))
    expect(refused).toHaveLength(292)
    expect((await refusalOf(as('wim')))[0]).toBe(
      'EXEC_FULL: wim already runs 8 commands next to workloads, the limit for one token.',
    )
    const others = [1, 2, 3].flatMap((at) => Array.from({ length: 8 }, () => as(`w${at}`).catch(() => 'full')))
    const admins = Array.from({ length: 4 }, () => as('ada', 'admin'))
    expect((await refusalOf(as('bob', 'admin')))[0]).toContain('EXEC_FULL: This control plane already runs 32')
    await expect.poll(() => ends.length).toBe(32)
    expect(await trailOf(deps)).toHaveLength(32)
    for (const end of ends.splice(0)) end()
    const answers = await Promise.all([...one.slice(0, 8), ...others, ...admins])
    expect(answers.filter((answer) => answer === 'full')).toHaveLength(4)
    const again = as('wim')
    await expect.poll(() => ends.length).toBe(1)
    ends[0]?.()
    expect(await again).toMatchObject({ code: 0 })
  })

  test('what was given up keeps its seat until it has ended', async () => {
    const stubborn: ServiceProviders['exec'] = () => new Promise(() => {})
    const deps = await running(['0'], stubborn)
    for (let count = 0; count < 8; count++) expect((await refusalOf(exec(deps)))[0]).toContain('EXEC_FAILED')
    expect((await refusalOf(exec(deps)))[0]).toContain('EXEC_FULL: ada already runs 8 commands')
  })
})
