import { eventEntry } from '../../src/api/schemas.ts'
import { eventText } from '../../src/core/event/text.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { WorkloadRecord } from '../../src/core/life/change.ts'
import { identityOf, isIdentityOf, isVersionOf } from '../../src/core/life/identity.ts'
import { situation } from '../../src/core/life/keep.suite.ts'
import { isBilled, type Placement } from '../../src/core/life/placement.ts'
import { reconcile } from '../../src/core/life/reconcile.ts'
import { ROW_FORMATS } from '../../src/core/life/row/formats.ts'
import type { RowKind } from '../../src/core/life/rows.ts'
import { roleOf } from '../../src/core/life/slots.ts'
import { FRESH_STATUS } from '../../src/core/life/status.ts'
import type { Manifest } from '../../src/core/manifest/manifest.ts'
import type { Commit, Store } from '../../src/ports/store.ts'
import { ADMIN, service } from '../../src/service/platform.suite.ts'
import { applyManifest, hasFailed } from '../../src/service/workload/workloads.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { RELEASED } from './earlier.ts'
import { FirstVersion } from './first-version.ts'
import { goldenOf, writeFile } from './golden.ts'
import { storedIn, type Stored } from './stored.ts'
import { CONFIG } from './work.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'berth-upgrade-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))
/** The version of the schema that each of them had. */
const SCHEMAS: Readonly<Record<(typeof RELEASED)[number], number>> = { '0e16500': 1, '8c61227': 2, a9a6873: 3 }
/** Those whose rows have no versions. */
const UNVERSIONED: ReadonlySet<string> = new Set(['0e16500', '8c61227'])
/** Kinds that none of them had. */
const LATER: ReadonlySet<string> = new Set<RowKind>(['bill', 'market'])
const KINDS = (Object.keys(ROW_FORMATS) as readonly RowKind[]).filter((kind) => !LATER.has(kind))

describe.each(RELEASED)('the rows that %s wrote', (commit) => {
  const golden = goldenOf(commit)
  const file = join(FOLDER, `${commit}.db`)
  let store: Store

  beforeEach(async () => {
    rmSync(file, { force: true })
    writeFile(file, golden, SCHEMAS[commit])
    store = await openSqliteStore(file, { nowMs: () => NOW_MS })
  })
  afterEach(() => store.close())

  /** The moment that the control plane was killed. */
  const NOW_MS = Math.max(...golden.rows.map(({ body }) => changedMs(body)))

  test('are of every kind, and in every phase', () => {
    expect(new Set(golden.rows.map(({ kind }) => kind))).toEqual(new Set(KINDS))
    const phases = golden.rows.flatMap(({ kind, body }) => (kind === 'placement' ? [phaseOf(body)] : []))
    const all = ['gone', 'reserved', 'running', 'starting', 'stopping', 'unknown']
    expect([...new Set(phases)].toSorted()).toEqual(all)
  })

  test('are all read, and nothing of them is lost', async () => {
    expect(await everything(store)).toEqual(golden.rows.map(UNVERSIONED.has(commit) ? upgraded : unmarked))
    const events = await store.events({ after: 0, limit: 100 })
    expect(events.map(({ facts }) => facts)).toEqual(golden.events.map(({ facts }) => facts))
    expect(events.map(eventText).filter((text) => text === '')).toEqual([])
    const wire = events.map(({ atMs, ...rest }) => ({ ...rest, at_ms: atMs }))
    expect(wire.map((event) => eventEntry.parse(event))).toEqual(wire)
    const audit = await store.audit({ after: 0, limit: 100 })
    expect(audit.map(({ facts }) => facts)).toEqual(golden.audit.map(({ facts }) => facts))
  })

  test('come back as they are once this version has written them, a few bytes longer at most', async () => {
    const before = await everything(store)
    // Each was read as a row of its kind.
    const writes = before.map(({ kind, key, version, body }) => ({
      kind,
      key,
      version,
      body,
    })) as unknown as Commit['writes']
    await store.commit({ writes })
    const bodies = (rows: Stored['rows']) => rows.map(({ kind, key, body }) => ({ kind, key, body }))
    expect(bodies(await everything(store))).toEqual(bodies(before))
    await store.close()
    const sizes = (rows: Stored['rows']) => rows.map(({ body }) => JSON.stringify(body).length)
    const [was, is] = [sizes(golden.rows), sizes(storedIn(file).rows)]
    is.forEach((size, at) => expect(size - (was[at] ?? 0)).toBeLessThanOrEqual('"v":2,1.'.length))
  })

  test.runIf(UNVERSIONED.has(commit))(
    'are what the way back makes of rows of this version: the simulation takes it',
    async () => {
      const last = new FirstVersion()
      const rows = await everything(store)
      for (const { kind, body } of rows) if (kind === 'workload') last.write(body, kind)
      const manifests = new Map((await recordsOf(store)).map(({ workload }) => [workload.uid, workload.manifest]))
      const back = rows.map(({ kind, body, ...rest }) => {
        // Known to this version by what it calls it itself.
        const named = kind === 'placement' ? renamed(body as Placement, manifests) : body
        return { kind, ...rest, body: JSON.parse(last.write(named, kind as RowKind)) }
      })
      expect(back).toEqual(golden.rows)
    },
  )

  test('have a control plane replace nothing: every slot is what its manifest asks for', async () => {
    const records = await recordsOf(store)
    const slots = records.flatMap(({ workload, placements }) =>
      [...placements.values()].filter(isBilled).map(({ shape, order }) => ({ workload, shape, slot: order.tag.slot })),
    )
    expect(slots.length).toBeGreaterThan(20)
    for (const { workload, shape, slot } of slots) {
      const role = roleOf(workload.manifest, slot)
      expect([workload.name, isIdentityOf(shape, workload.manifest, role)]).toEqual([workload.name, true])
      // What the first version wrote is not what this one would write, and is known all the same.
      if (UNVERSIONED.has(commit)) expect(shape).not.toBe(identityOf(workload.manifest, role))
    }
    for (const { workload, status } of records) {
      if (status.stood !== undefined) expect(isVersionOf(status.stood, workload.manifest)).toBe(true)
    }
    for (const record of records) {
      const { change, move } = reconcile(record, situation({ nowMs: NOW_MS, startingMs: () => undefined }))
      expect([record.workload.name, move]).toEqual([record.workload.name, undefined])
      const why = new Map(change.placements.map((each) => [each.order.tag.slot, each.why]))
      for (const [slot, { phase }] of record.placements) {
        if (phase === 'running' || phase === 'starting') expect([slot, why.get(slot)]).toEqual([slot, undefined])
      }
    }
  })

  test('are not changed when every manifest is applied again', async () => {
    const deps = { ...service({ config: CONFIG.replace(/^berth: v1\nkind: config\n/, '') }), store }
    const head = await store.head()
    let count = 0
    for (const { workload, status, placements } of await recordsOf(store)) {
      const known = { status, placements: [...placements.values()] }
      // What was stopped or has failed is started by that, and a number of replicas that was set by hand ends: as ever.
      const isLeft = workload.want === 'running' && Object.keys(workload.scale).length === 0
      if (!isLeft || hasFailed(workload, known)) continue
      const { text, project, template } = workload
      const terms = { project, file: 'm.yaml', pinned: undefined, once: undefined, ifTag: undefined }
      const { outcome } = await applyManifest(deps, ADMIN, { ...terms, text, ...(template && { template }) })
      expect([workload.name, outcome]).toEqual([workload.name, 'unchanged'])
      count++
    }
    expect(count).toBeGreaterThan(10)
    expect(await store.head()).toBe(head)
  })
})

async function everything(store: Store): Promise<Stored['rows']> {
  const lists = await Promise.all(KINDS.map((kind) => store.list(kind, { limit: 1000 })))
  return lists.flat().toSorted((one, two) => (`${one.kind} ${one.key}` < `${two.kind} ${two.key}` ? -1 : 1))
}

/** What this version makes of a row of the first: identities name their version, and everything else is as it was. */
function upgraded(row: Stored['rows'][number]): unknown {
  const { body, ...rest } = row
  // A golden row has an object for its body.
  const { shape, stood, ...others } = body as { readonly shape?: string; readonly stood?: string }
  const names = { ...(shape && { shape: `1.${shape}` }), ...(stood && { stood: `1.${stood}` }) }
  return { ...rest, body: { ...others, ...names } }
}

/** A row of this version without the mark that says so. */
function unmarked(row: Stored['rows'][number]): unknown {
  const { body, ...rest } = row
  // A golden row has an object for its body.
  const { v: _, ...unversioned } = body as { readonly v?: number }
  return { ...rest, body: unversioned }
}

/** What runs, under the name that this version has for it, where it is what the manifest asks for. */
function renamed(placement: Placement, manifests: ReadonlyMap<string, Manifest>): Placement {
  const { uid, slot } = placement.order.tag
  const manifest = manifests.get(uid)
  const role = manifest && roleOf(manifest, slot)
  const isKnown = manifest !== undefined && isIdentityOf(placement.shape, manifest, role)
  return isKnown ? { ...placement, shape: identityOf(manifest, role) } : placement
}

async function recordsOf(store: Store): Promise<readonly WorkloadRecord[]> {
  const page = { limit: 1000 }
  const [workloads, statuses, placements] = await Promise.all([
    store.list('workload', page),
    store.list('status', page),
    store.list('placement', page),
  ])
  return workloads.map(({ key, body: workload }) => {
    const { uid, generation } = workload
    const status = statuses.find((row) => row.key === key)?.body ?? { ...FRESH_STATUS, uid, generation }
    const own = placements.filter((row) => row.key.startsWith(`${key}/`))
    return { workload, status, placements: new Map(own.map(({ body }) => [body.order.tag.slot, body])) }
  })
}

function changedMs(body: unknown): number {
  const { sinceMs } = body as { readonly sinceMs?: number }
  return sinceMs ?? 0
}

function phaseOf(body: unknown): string {
  return (body as { readonly phase: string }).phase
}
