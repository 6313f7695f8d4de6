import { describe, expect, test } from 'vitest'
import { ADMIN, service, NOW_MS, putWorkload, refusalOf, trailOf } from '../platform.suite.ts'
import { rerunWorkload, stopWorkload } from './workloads.ts'

function rerun(deps: ReturnType<typeof service>) {
  return rerunWorkload(deps, ADMIN, { at: { project: 'default', name: 'a' }, once: undefined, ifTag: undefined })
}

describe('stop', () => {
  test.each(['done', 'failed', 'stopped'] as const)('a workload that is %s stays as it ended', async (state) => {
    const deps = service()
    await putWorkload(deps, { name: 'a', end: { state, why: 'so', atMs: NOW_MS } })
    const at = { project: 'default', name: 'a' }
    const view = await stopWorkload(deps, ADMIN, { at, once: undefined, ifTag: undefined })
    expect(view).toMatchObject({ generation: 1, state, end: { state, why: 'so' } })
  })
})

describe('rerun', () => {
  test.each(['done', 'failed', 'stopped'] as const)('a workload that is %s runs again, unchanged', async (state) => {
    const deps = service()
    await putWorkload(deps, { name: 'a', end: { state, why: '', atMs: NOW_MS } })
    const before = await deps.store.get('workload', 'default/a')
    expect(await rerun(deps)).toMatchObject({ generation: 2, want: 'running', end: undefined, state: 'waiting' })
    const after = await deps.store.get('workload', 'default/a')
    expect(after?.body).toEqual({ ...before?.body, generation: 2, want: 'running', changedMs: NOW_MS })
    expect(await trailOf(deps)).toContain('ada rerun default workload/a {"generation":2,"what":"run again"}')
  })

  test('what has not ended is left alone', async () => {
    const deps = service()
    await putWorkload(deps, { name: 'a' })
    expect(await refusalOf(rerun(deps))).toEqual(['RERUN_IMPOSSIBLE: a has not ended: it is waiting.'])
  })

  test('what is being removed is not run again', async () => {
    const deps = service()
    await putWorkload(deps, { name: 'a', want: 'removed' })
    expect(await refusalOf(rerun(deps))).toEqual([expect.stringContaining('WORKLOAD_LEAVING')])
  })
})
