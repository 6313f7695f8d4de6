import { describe, expect, test } from 'vitest'
import { placed } from '../../core/life/keep.suite.ts'
import type { ServiceDeps } from '../deps.ts'
import { ADMIN, service } from '../platform.suite.ts'
import { historyOf } from './views.ts'
import { applyManifest, scaleWorkload } from './workloads.ts'

const AT = { project: 'default', name: 'web' }
const TERMS = { once: undefined, ifTag: undefined }

async function apply(deps: ServiceDeps, more: string): Promise<void> {
  const text = `berth: v1\nkind: service\nname: web\nimage: a\nresources: { cpu: 1 }\n${more}`
  await applyManifest(deps, ADMIN, { project: 'default', file: 'm', pinned: undefined, ...TERMS, text })
}

async function remembered(deps: ServiceDeps): Promise<readonly string[]> {
  return (await historyOf(deps, AT)).map(({ generation, text }) => `${generation} ${text.split('\n')[5]}`)
}

describe('what was applied before', () => {
  test('is remembered newest first, whatever was changed by other ways', async () => {
    const deps = service()
    await apply(deps, 'replicas: 1\n')
    await scaleWorkload(deps, ADMIN, { at: AT, role: undefined, replicas: 2, ...TERMS })
    await apply(deps, 'replicas: 3\n')
    await apply(deps, 'replicas: 3\n')
    expect(await remembered(deps)).toEqual(['3 replicas: 3', '2 replicas: 1'])
  })

  test('is the last ten, and no more than 256 KB of texts', async () => {
    const deps = service()
    for (let at = 1; at <= 15; at++) await apply(deps, `replicas: ${at}\n`)
    expect(await remembered(deps)).toHaveLength(11)
    for (let at = 1; at <= 4; at++) await apply(deps, `replicas: ${at}\n# ${'x'.repeat(100_000)}\n`)
    const [, ...before] = await historyOf(deps, AT)
    const characters = before.reduce((sum, { text }) => sum + text.length, 0)
    expect(characters).toBeLessThanOrEqual(256 * 1024)
    expect(before.length).toBeGreaterThan(1)
  })

  test('says whether a generation was ever fully up', async () => {
    const deps = service()
    await apply(deps, 'replicas: 1\n')
    const body = (await deps.store.get('workload', 'default/web'))?.body
    if (body === undefined) throw new Error('it was applied')
    const up = placed(body, '0', 'running', { upMs: 0 })
    await deps.store.commit({ writes: [{ kind: 'placement', key: 'default/web/0', version: 0, body: up }] })
    await apply(deps, 'env: { BAD: yes }\n')
    await apply(deps, 'env: { BAD: again }\n')
    expect((await historyOf(deps, AT)).map(({ stood }) => stood)).toEqual([false, false, true])
  })

  test('is nothing for what was never changed, and for what an older version wrote', async () => {
    const deps = service()
    await apply(deps, 'replicas: 1\n')
    expect(await remembered(deps)).toEqual(['1 replicas: 1'])
  })
})
