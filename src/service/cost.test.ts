import { describe, expect, test } from 'vitest'
import { billKey, type Bill } from '../core/life/bill.ts'
import { costOf, forgetBills } from './cost.ts'
import type { Principal } from './deps.ts'
import { ADMIN, NOW_MS, service, type TestDeps } from './platform.suite.ts'

const HOUR_MS = 3_600_000
const READER: Principal = { name: 'rea', role: 'reader', projects: ['lab'] }

/** A bill of two hours at three dollars, which was closed so many hours ago. */
function bill(project: string, hoursAgo: number, change: Partial<Bill> = {}): Bill {
  const toMs = NOW_MS - hoursAgo * HOUR_MS
  return {
    project,
    workload: 'chat',
    slot: '0',
    attempt: `a${hoursAgo}`,
    provider: 'runpod',
    region: 'eu',
    machine: '1x RTX 4090',
    instance: 'i-1',
    gpus: 1,
    usdPerHour: 3,
    fromMs: toMs - 2 * HOUR_MS,
    toMs,
    why: 'stopped',
    ...change,
  }
}

async function withBills(bills: readonly Bill[]): Promise<TestDeps> {
  const deps = service()
  for (const body of bills) await deps.store.commit({ writes: [{ kind: 'bill', key: billKey(body), body }] })
  return deps
}

describe('what rented machines cost', () => {
  test('is added up by workload, provider or project, the dearest first', async () => {
    const deps = await withBills([
      bill('lab', 3),
      bill('lab', 5, { workload: 'train', usdPerHour: 10, provider: 'vast' }),
      bill('web', 4),
    ])
    const found = await costOf(deps, ADMIN, {})
    expect(found.costs.map(({ project, workload, usd }) => [project, workload, usd])).toEqual([
      ['lab', 'train', 20],
      ['lab', 'chat', 6],
      ['web', 'chat', 6],
    ])
    expect(found).toMatchObject({ by: 'workload', total_usd: 32, until_ms: NOW_MS })
    const providers = await costOf(deps, ADMIN, { by: 'provider' })
    expect(providers.costs.map(({ provider, usd, hours, instances }) => [provider, usd, hours, instances])).toEqual([
      ['vast', 20, 2, 1],
      ['runpod', 12, 4, 2],
    ])
    expect((await costOf(deps, ADMIN, { by: 'project', project: 'web' })).costs).toMatchObject([
      { project: 'web', usd: 6 },
    ])
  })

  test('counts only what lies within the time that is asked for', async () => {
    const deps = await withBills([bill('lab', 3), bill('lab', 30)])
    expect((await costOf(deps, ADMIN, { since_ms: NOW_MS - 4 * HOUR_MS })).total_usd).toBe(3)
    expect((await costOf(deps, ADMIN, { since_ms: NOW_MS - 31 * HOUR_MS })).total_usd).toBe(9)
    expect((await costOf(deps, ADMIN, { since_ms: NOW_MS - HOUR_MS })).costs).toEqual([])
  })

  test('is seen only by those who may see the project', async () => {
    const deps = await withBills([bill('lab', 3), bill('web', 4), bill('lab-2', 5)])
    for (const by of ['workload', 'provider', 'project'] as const)
      expect((await costOf(deps, READER, { by })).total_usd).toBe(6)
    expect((await costOf(deps, READER, { project: 'web' })).costs).toEqual([])
  })

  test('is forgotten after its time, project by project', async () => {
    const deps = await withBills([bill('lab', 3), bill('lab', 300), bill('web', 400), bill('web-2', 2)])
    expect(await forgetBills(deps, NOW_MS - 200 * HOUR_MS)).toBe(2)
    expect((await costOf(deps, ADMIN, { since_ms: 0, by: 'project' })).costs.map(({ project }) => project)).toEqual([
      'lab',
      'web-2',
    ])
  })
})
