import { expect, test } from 'vitest'
import { ADMIN, service, NOW_MS, putWorkload, refusalOf, trailOf } from '../platform.suite.ts'
import { restartWorkload } from './workloads.ts'

const AT = { project: 'default', name: 'a' }

function restart(deps: ReturnType<typeof service>) {
  return restartWorkload(deps, ADMIN, { at: AT, once: undefined, ifTag: undefined })
}

test('a restart changes nothing but the generation, and from which one on replicas count', async () => {
  const deps = service()
  await putWorkload(deps, { name: 'a', kind: 'service' })
  const before = await deps.store.get('workload', 'default/a')
  expect(await restart(deps)).toMatchObject({ generation: 2, want: 'running' })
  const after = await deps.store.get('workload', 'default/a')
  expect(after?.body).toEqual({ ...before?.body, generation: 2, restartedIn: 2, changedMs: NOW_MS })
  expect(await trailOf(deps)).toContain('ada restart default workload/a {"generation":2,"what":"restart"}')
  await restart(deps)
  expect((await deps.store.get('workload', 'default/a'))?.body).toMatchObject({ generation: 3, restartedIn: 3 })
})

test('a job is not restarted', async () => {
  const deps = service()
  await putWorkload(deps, { name: 'a', kind: 'job' })
  expect(await refusalOf(restart(deps))).toEqual(['RESTART_IMPOSSIBLE: a is a job: only services are restarted.'])
})

test.each(['failed', 'stopped'] as const)('what is %s has nothing to restart', async (state) => {
  const deps = service()
  await putWorkload(deps, { name: 'a', kind: 'service', end: { state, why: 'so', atMs: NOW_MS } })
  expect(await refusalOf(restart(deps))).toEqual([`RESTART_IMPOSSIBLE: a does not run: it is ${state}.`])
})

test('what is being removed is not restarted', async () => {
  const deps = service()
  await putWorkload(deps, { name: 'a', kind: 'service', want: 'removed' })
  expect(await refusalOf(restart(deps))).toEqual([expect.stringContaining('WORKLOAD_LEAVING')])
})
