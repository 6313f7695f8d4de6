import { describe, expect, test } from 'vitest'
import type { Status } from '../../core/life/status.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { ToPlace } from '../../core/life/bind/question.ts'
import { wrongPlaces } from '../../core/life/bind/refused-by.ts'
import type { ServiceDeps } from '../deps.ts'
import { service, NOW_MS, putWorkload } from '../platform.suite.ts'
import { explainWorkload } from './views.ts'

const AT = { project: 'default', name: 'web' }

/** A service with one workload that has no place, and what its decisions were asked for. */
async function waiting(known: Partial<Status>): Promise<{ deps: ServiceDeps; asked: readonly ToPlace[] }> {
  const asked: ToPlace[] = []
  const plain = service()
  // Only whether there is a plan is looked at.
  const plan = { fits: true } as unknown as PlanReport
  const deps: ServiceDeps = {
    ...plain,
    decide: async (_project, workloads) => {
      asked.push(...workloads)
      return plan
    },
  }
  await putWorkload(deps, { name: 'web' })
  const row = await deps.store.get('status', 'default/web')
  if (row === undefined) throw new Error('the status was put')
  const writes = [{ kind: 'status' as const, key: row.key, version: row.version, body: { ...row.body, ...known } }]
  await deps.store.commit({ writes })
  return { deps, asked }
}

describe('the explanation of work without a place', () => {
  test('is decided without the places that called this version wrong', async () => {
    const places = [{ at: 'north', why: 'There is no program serve on this host.' }]
    const { deps, asked } = await waiting({ refusedBy: { generation: 1, places } })
    expect((await explainWorkload(deps, AT)).plan).toBeDefined()
    expect(asked.map(({ record }) => wrongPlaces(record.status, record.workload, undefined))).toEqual([['north']])
  })

  test('forgets what called an earlier version wrong', async () => {
    const { deps, asked } = await waiting({ refusedBy: { generation: 0, places: [{ at: 'north', why: '' }] } })
    await explainWorkload(deps, AT)
    expect(asked.map(({ record }) => wrongPlaces(record.status, record.workload, undefined))).toEqual([[]])
  })

  test('has no plan where its roll-out has ended: the cause is the program', async () => {
    const why = 'There is no program pyton3 on this host.'
    const { deps, asked } = await waiting({ stalled: { generation: 1, why, atMs: NOW_MS, groups: ['0'] } })
    const { plan, workload } = await explainWorkload(deps, AT)
    expect([plan, asked.length]).toEqual([undefined, 0])
    expect(workload.problem).toContain(why)
  })

  test('has no plan where it failed by itself and waits for its next try', async () => {
    const trouble = { atMs: NOW_MS, sinceMs: NOW_MS, slot: '0', text: 'exit code 1' }
    const { deps } = await waiting({ failures: 2, trouble })
    const { plan, workload } = await explainWorkload(deps, AT)
    expect(plan).toBeUndefined()
    expect(workload.waiting).toMatchObject({ code: 'BACKOFF', text: 'it failed 2 times: exit code 1' })
  })
})
