import { describe, expect, test } from 'vitest'
import type { Principal } from './deps.ts'
import { ADMIN, service, putWorkload, refusalOf, type TestDeps } from './platform.suite.ts'
import { setProject } from './projects.ts'
import { createToken } from './tokens.ts'
import { applyManifest } from './workload/workloads.ts'

const TEXT = 'berth: v1\nkind: job\nname: work\nimage: a\nresources: { cpu: 1 }\n'
const UNKNOWN = ['PROJECT_UNKNOWN: There is no project reserch.']
const NO_LIMITS = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

function apply(deps: TestDeps, { actor = ADMIN as Principal, project = 'reserch', createProject = false } = {}) {
  const ask = { project, text: TEXT, file: 'f', pinned: undefined, createProject }
  return refusalOf(applyManifest(deps, actor, { ...ask, once: undefined, ifTag: undefined }))
}

describe('an unknown project', () => {
  test('is not created by a typo, and a suggestion is given', async () => {
    const deps = service({ config: 'projects: { research: { max_gpus: 1 } }' })
    expect(await apply(deps)).toEqual(UNKNOWN)
    expect(await deps.store.list('workload', { limit: 1 })).toEqual([])
    const ask = { project: 'reserch', text: TEXT, file: 'f', pinned: undefined, once: undefined, ifTag: undefined }
    const hint = await applyManifest(deps, ADMIN, ask).catch((error) => error.problems[0].hint)
    expect(hint).toContain('Did you mean research? Create it with berth project create reserch')
    expect(await apply(deps, { project: 'research' })).toEqual([])
    expect(await apply(deps, { project: 'default' })).toEqual([])
  })

  test('is created when the caller asks for it', async () => {
    const deps = service()
    expect(await apply(deps, { createProject: true })).toEqual([])
    expect(await apply(deps)).toEqual([])
  })

  test.each<[string, (deps: TestDeps) => Promise<unknown>]>([
    ['it has rules', (deps) => setProject(deps, ADMIN, { name: 'reserch', limits: NO_LIMITS })],
    ['something is in it', (deps) => putWorkload(deps, { project: 'reserch', name: 'other' })],
    [
      'a token names it',
      (deps) => createToken(deps, ADMIN, { name: 'al', role: 'reader', projects: ['reserch'], ttl_ms: 1000 }),
    ],
  ])('is known once %s', async (_, does) => {
    const deps = service()
    await does(deps)
    expect(await apply(deps)).toEqual([])
  })

  test('is known to a caller whose token names it', async () => {
    expect(await apply(service(), { actor: { name: 'wim', role: 'writer', projects: ['reserch'] } })).toEqual([])
    expect(await apply(service(), { actor: { name: 'wim', role: 'writer', projects: ['*'] } })).toEqual(UNKNOWN)
  })
})
