import { describe, expect, test } from 'vitest'
import { identityOf } from '../../core/life/identity.ts'
import { placed } from '../../core/life/keep.suite.ts'
import type { Placement } from '../../core/life/placement.ts'
import { offer } from '../../core/offer/offer.suite.ts'
import { freeze } from '../../core/offer/snapshot.ts'
import type { Preview } from '../../ports/berth.ts'
import type { ServiceDeps } from '../deps.ts'
import { ADMIN, service, NOW_MS, putWorkload } from '../platform.suite.ts'
import { previewManifest } from './preview.ts'
import { applyManifest, scaleWorkload } from './workloads.ts'

const SERVICE = 'berth: v1\nkind: service\nname: web\nimage: a\nresources: { cpu: 1 }\n'

async function preview(deps: ServiceDeps, text: string): Promise<Preview> {
  return previewManifest(deps, { project: 'default', text, file: 'm.yaml' })
}

/** A service whose slots run as its manifest says. */
async function serving(more: string, slots: readonly string[]): Promise<ServiceDeps> {
  const deps = service()
  const text = `${SERVICE}${more}`
  const terms = { project: 'default', file: 'm', pinned: undefined, once: undefined, ifTag: undefined }
  const { workload } = await applyManifest(deps, ADMIN, { ...terms, text })
  const shape = identityOf((await deps.parse(text, 'm')).manifest, undefined)
  await deps.store.commit({
    writes: slots.map((slot) => {
      const tag = { owner: 'o', project: 'default', workload: 'web', uid: workload.uid, slot, epoch: 1, attempt: 'a' }
      const order = { tag, nodes: 1, place: { provider: 'p', region: 'r', offer: 'o' } }
      const reserved = { gpus: 0, usdPerHour: 0 }
      // Nothing else of a placement is looked at.
      const body = { phase: 'running', shape, order, reserved, ports: {} } as unknown as Placement
      return { kind: 'placement' as const, key: `default/web/${slot}`, body }
    }),
  })
  return deps
}

describe('a preview', () => {
  test('of something new says how many replicas come', async () => {
    expect(await preview(service(), `${SERVICE}replicas: 3\n`)).toEqual({
      outcome: 'create',
      state: undefined,
      changes: [],
      replicas: { replaced: 0, kept: 0, added: 3, removed: 0 },
    })
  })

  test('of another shape says that every replica is replaced, and of fewer that some are removed', async () => {
    const deps = await serving('replicas: 3\n', ['0', '1', '2'])
    const other = await preview(deps, `${SERVICE.replace('cpu: 1', 'cpu: 2')}replicas: 2\n`)
    expect(other).toMatchObject({
      outcome: 'change',
      changes: [
        { field: 'resources.cpu', from: '1', to: '2' },
        { field: 'replicas', from: '3', to: '2' },
      ],
      replicas: { replaced: 2, kept: 0, added: 0, removed: 1 },
    })
  })

  test('of more replicas keeps those that are there', async () => {
    const deps = await serving('replicas: 2\n', ['0', '1'])
    expect((await preview(deps, `${SERVICE}replicas: 5\n`)).replicas).toEqual({
      replaced: 0,
      kept: 2,
      added: 3,
      removed: 0,
    })
  })

  test.each([
    ['meets', '20Gi', { replaced: 0, kept: 1, added: 0, removed: 0 }],
    ['does not meet', '200Gi', { replaced: 1, kept: 0, added: 0, removed: 0 }],
  ])('of another need keeps a replica whose place %s it, as the leader does', async (_, vram, replicas) => {
    const text = SERVICE.replace('{ cpu: 1 }', '{ gpu: { count: 2, min_vram: 16Gi } }')
    const deps = service()
    const terms = { project: 'default', file: 'm', pinned: undefined, once: undefined, ifTag: undefined }
    await applyManifest(deps, ADMIN, { ...terms, text })
    const row = await deps.store.get('workload', 'default/web')
    if (row === undefined) throw new Error('it was applied')
    const body = placed(row.body, '0', 'running')
    await deps.store.commit({ writes: [{ kind: 'placement', key: 'default/web/0', body }] })
    const capacity = async () => ({ snapshot: freeze([offer()]), config: undefined })
    const changed = text.replace('16Gi', vram)
    expect((await preview({ ...deps, capacity }, changed)).replicas).toEqual(replicas)
    // When the current state is unknown, nothing is promised.
    expect((await preview(deps, changed)).replicas).toMatchObject({ replaced: 1, kept: 0 })
  })

  test('of other labels touches no replica', async () => {
    const deps = await serving('labels: { team: ml }\n', ['0'])
    expect(await preview(deps, `${SERVICE}labels: { team: web }\n`)).toMatchObject({
      outcome: 'change',
      changes: [{ field: 'labels.team', from: 'ml', to: 'web' }],
      replicas: { replaced: 0, kept: 1, added: 0, removed: 0 },
    })
  })

  test('of the same, with another comment, is unchanged', async () => {
    const deps = await serving('', ['0'])
    expect(await preview(deps, `# hello\n${SERVICE}`)).toMatchObject({ outcome: 'unchanged', changes: [] })
  })

  test('says that a number of replicas that was set by hand ends', async () => {
    const deps = await serving('', ['0'])
    const at = { project: 'default', name: 'web' }
    await scaleWorkload(deps, ADMIN, { at, role: undefined, replicas: 4, once: undefined, ifTag: undefined })
    expect((await preview(deps, SERVICE)).changes).toEqual([
      { field: 'replicas set by hand', from: '4', to: undefined },
    ])
  })

  test('of what has failed is to try again, of what is done nothing', async () => {
    const deps = service()
    for (const state of ['failed', 'done'] as const) {
      await putWorkload(deps, { name: state, end: { state, why: '', atMs: NOW_MS } })
      const text = `berth: v1\nkind: job\nname: ${state}\nimage: a\nresources: { cpu: 1 }\n\n`
      const { outcome, state: was } = await preview(deps, text)
      expect([outcome, was]).toEqual([state === 'failed' ? 'again' : 'unchanged', state])
    }
  })

  test('tells names of secrets, never a value, and changes nothing', async () => {
    const deps = await serving('', ['0'])
    const head = await deps.store.head()
    const { changes } = await preview(deps, `${SERVICE}secrets: [HF_TOKEN]\n`)
    expect(changes).toEqual([{ field: 'secrets', from: undefined, to: '[HF_TOKEN]' }])
    expect(await deps.store.head()).toBe(head)
  })
})
