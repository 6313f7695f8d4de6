import { describe, expect, test } from 'vitest'
import { ADMIN, desk, NOW_MS, putWorkload, refusalOf, trailOf } from '../platform.suite.ts'
import { rerunWorkload } from './workloads.ts'

function rerun(doors: ReturnType<typeof desk>) {
  return rerunWorkload(doors, ADMIN, { at: { project: 'default', name: 'a' }, once: undefined, ifTag: undefined })
}

describe('rerun', () => {
  test.each(['done', 'failed', 'stopped'] as const)('what is %s is wanted again, as it is', async (state) => {
    const doors = desk()
    await putWorkload(doors, { name: 'a', end: { state, why: '', atMs: NOW_MS } })
    const before = await doors.store.get('workload', 'default/a')
    expect(await rerun(doors)).toMatchObject({ generation: 2, want: 'running', end: undefined, state: 'waiting' })
    const after = await doors.store.get('workload', 'default/a')
    expect(after?.body).toEqual({ ...before?.body, generation: 2, want: 'running', changedMs: NOW_MS })
    expect(await trailOf(doors)).toContain('ada rerun default workload/a {"generation":2,"what":"run again"}')
  })

  test('what has not ended is left alone', async () => {
    const doors = desk()
    await putWorkload(doors, { name: 'a' })
    expect(await refusalOf(rerun(doors))).toEqual(['RERUN_IMPOSSIBLE: a has not ended: it is waiting.'])
  })

  test('what is being removed is not run again', async () => {
    const doors = desk()
    await putWorkload(doors, { name: 'a', want: 'removed' })
    expect(await refusalOf(rerun(doors))).toEqual([expect.stringContaining('WORKLOAD_LEAVING')])
  })
})
