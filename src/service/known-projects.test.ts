import { describe, expect, test } from 'vitest'
import type { Principal } from './doors.ts'
import { ADMIN, desk, putWorkload, refusalOf, type TestDoors } from './platform.suite.ts'
import { setProject } from './projects.ts'
import { createToken } from './tokens.ts'
import { applyManifest } from './workload/workloads.ts'

const TEXT = 'berth: v1\nkind: job\nname: work\nimage: a\nresources: { cpu: 1 }\n'
const UNKNOWN = ['PROJECT_UNKNOWN: There is no project reserch.']
const NO_LIMITS = { gpusMax: undefined, usdPerHourMax: undefined, workloadsMax: undefined }

function apply(doors: TestDoors, { actor = ADMIN as Principal, project = 'reserch', createProject = false } = {}) {
  const ask = { project, text: TEXT, file: 'f', pinned: undefined, createProject }
  return refusalOf(applyManifest(doors, actor, { ...ask, once: undefined, ifTag: undefined }))
}

describe('a project that nobody knows', () => {
  test('is not made by a slip of the pen, and what was meant is said', async () => {
    const doors = desk({ config: 'projects: { research: { max_gpus: 1 } }' })
    expect(await apply(doors)).toEqual(UNKNOWN)
    expect(await doors.store.list('workload', { limit: 1 })).toEqual([])
    const ask = { project: 'reserch', text: TEXT, file: 'f', pinned: undefined, once: undefined, ifTag: undefined }
    const hint = await applyManifest(doors, ADMIN, ask).catch((error) => error.problems[0].hint)
    expect(hint).toContain('Did you mean research? Create it: berth project create reserch')
    expect(await apply(doors, { project: 'research' })).toEqual([])
    expect(await apply(doors, { project: 'default' })).toEqual([])
  })

  test('is made by whoever means it', async () => {
    const doors = desk()
    expect(await apply(doors, { createProject: true })).toEqual([])
    expect(await apply(doors)).toEqual([])
  })

  test.each<[string, (doors: TestDoors) => Promise<unknown>]>([
    ['it has rules', (doors) => setProject(doors, ADMIN, { name: 'reserch', limits: NO_LIMITS })],
    ['something is in it', (doors) => putWorkload(doors, { project: 'reserch', name: 'other' })],
    [
      'a token names it',
      (doors) => createToken(doors, ADMIN, { name: 'al', role: 'reader', projects: ['reserch'], ttl_ms: 1000 }),
    ],
  ])('is known once %s', async (_, does) => {
    const doors = desk()
    await does(doors)
    expect(await apply(doors)).toEqual([])
  })

  test('is known to whoever has a token for it', async () => {
    expect(await apply(desk(), { actor: { name: 'wim', role: 'writer', projects: ['reserch'] } })).toEqual([])
    expect(await apply(desk(), { actor: { name: 'wim', role: 'writer', projects: ['*'] } })).toEqual(UNKNOWN)
  })
})
