import { describe, expect, test } from 'vitest'
import type { Status } from '../../core/life/status.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { Beside, DeskDoors } from '../doors.ts'
import { desk, NOW_MS, putWorkload } from '../platform.suite.ts'
import { explainWorkload } from './views.ts'

const AT = { project: 'default', name: 'web' }

/** A desk with one workload that has no place, and what its decisions were asked for. */
async function waiting(known: Partial<Status>): Promise<{ doors: DeskDoors; asked: readonly (Beside | undefined)[] }> {
  const asked: (Beside | undefined)[] = []
  const plain = desk()
  // Only whether there is a plan is looked at.
  const plan = { fits: true } as unknown as PlanReport
  const doors: DeskDoors = {
    ...plain,
    decide: async (_manifest, _project, beside) => {
      asked.push(beside)
      return plan
    },
  }
  await putWorkload(doors, { name: 'web' })
  const row = await doors.store.get('status', 'default/web')
  if (row === undefined) throw new Error('the status was put')
  const writes = [{ kind: 'status' as const, key: row.key, version: row.version, body: { ...row.body, ...known } }]
  await doors.store.commit({ writes })
  return { doors, asked }
}

describe('the explanation of work without a place', () => {
  test('is decided without the places that called this version wrong', async () => {
    const places = [{ at: 'north', why: 'There is no program serve on this host.' }]
    const { doors, asked } = await waiting({ refusedBy: { generation: 1, places } })
    expect((await explainWorkload(doors, AT)).plan).toBeDefined()
    expect(asked.map((beside) => beside?.wrongAt?.(undefined))).toEqual([['north']])
  })

  test('forgets what called an earlier version wrong', async () => {
    const { doors, asked } = await waiting({ refusedBy: { generation: 0, places: [{ at: 'north', why: '' }] } })
    await explainWorkload(doors, AT)
    expect(asked.map((beside) => beside?.wrongAt?.(undefined))).toEqual([[]])
  })

  test('has no plan where its roll-out has ended: the cause is the program', async () => {
    const why = 'There is no program pyton3 on this host.'
    const { doors, asked } = await waiting({ stalled: { generation: 1, why, atMs: NOW_MS, groups: ['0'] } })
    const { plan, workload } = await explainWorkload(doors, AT)
    expect([plan, asked.length]).toEqual([undefined, 0])
    expect(workload.problem).toContain(why)
  })

  test('has no plan where it failed by itself and waits for its next try', async () => {
    const trouble = { atMs: NOW_MS, sinceMs: NOW_MS, slot: '0', text: 'exit code 1' }
    const { doors } = await waiting({ failures: 2, trouble })
    const { plan, workload } = await explainWorkload(doors, AT)
    expect(plan).toBeUndefined()
    expect(workload.waiting).toMatchObject({ code: 'BACKOFF', text: 'it failed 2 times: exit code 1' })
  })
})
