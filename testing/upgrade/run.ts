import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Placement } from '../../src/core/life/placement.ts'
import type { Status } from '../../src/core/life/status.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import { RealPlane } from '../plane/plane.ts'
import { readTruth } from '../plane/truth.ts'
import { fill, reapplyAll, settled } from './fill.ts'
import { storedAt, storedIn, type Stored } from './stored.ts'
import { CONFIG } from './work.ts'

interface UpgradeSetup {
  /** An empty folder for everything. */
  readonly folder: string
  readonly workloads: number
  /** The earlier program, as Node is to run it. */
  readonly program: readonly string[]
  /** Address of a PostgreSQL; left out: SQLite. */
  readonly database?: string
}

interface UpgradeReport {
  readonly store: 'sqlite' | 'postgres'
  readonly rows: Readonly<Record<string, number>>
  readonly phases: Readonly<Record<string, number>>
  /** Replicas that ran, or may have run, when the earlier program was killed. */
  readonly running: number
  /** From the start of this version until nothing moves any more. */
  readonly settledMs: number
  readonly reapplied: number
  readonly lost: readonly string[]
  readonly replaced: readonly string[]
  readonly changed: readonly string[]
  /** Whether the earlier program refuses what this version has left behind, and whether it must, because rows have newer versions. */
  readonly refusedByEarlier: boolean
  readonly mustRefuse: boolean
}

/** Fills a store with an earlier program, kills it, opens the store with this one, and applies every manifest again. */
export async function runUpgrade({ folder, workloads, program, database }: UpgradeSetup): Promise<UpgradeReport> {
  const data = join(folder, 'data')
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const where = { folder: data, config, ...(database !== undefined && { database }) }
  const stored = async (): Promise<Stored> =>
    database === undefined ? storedIn(join(data, 'berth.db')) : storedAt(database)
  const live = (): ReadonlySet<string> =>
    new Set(readTruth(data).flatMap(({ attempt, endsMs }) => (endsMs === Number.POSITIVE_INFINITY ? [attempt] : [])))

  await fill(new RealPlane({ ...where, program }), workloads)
  const [before, running] = [await stored(), live()]
  const plane = new RealPlane({ ...where, name: 'next' })
  const again = new RealPlane({ ...where, program, name: 'again' })
  try {
    const beganMs = Date.now()
    if (!(await plane.start())) throw new Error(`this version did not start; its log is in ${data}`)
    await settled(plane)
    const settledMs = Date.now() - beganMs
    const [after, still] = [await stored(), live()]
    const texts = leftAlone(after)
    const outcomes = await reapplyAll(plane, texts)
    await settled(plane)
    const [end, last] = [await stored(), live()]
    await plane.kill()
    const refusedByEarlier = !(await again.start())
    return {
      refusedByEarlier,
      mustRefuse: hasNewerRows(before, end),
      store: database === undefined ? 'sqlite' : 'postgres',
      rows: countBy(before.rows.map(({ kind }) => kind)),
      phases: countBy(placementsIn(before).map(({ phase }) => phase)),
      running: running.size,
      settledMs,
      reapplied: outcomes.size,
      lost: [...lostBetween(before, after), ...lostBetween(after, end)],
      replaced: [...replacedIn(before, { running, still }), ...replacedIn(after, { running: still, still: last })],
      changed: [
        ...[...outcomes].flatMap(([name, outcome]) => (outcome === 'unchanged' ? [] : [`${name} is ${outcome}`])),
        ...changedBetween(after, end),
      ],
    }
  } finally {
    await plane.kill()
    await again.kill()
  }
}

/** A kind of row is written in a version that the earlier program never wrote. Keys that may be left out make no new version. */
function hasNewerRows(before: Stored, end: Stored): boolean {
  const known = versionsIn(before)
  return [...versionsIn(end)].some(([kind, version]) => version > (known.get(kind) ?? version))
}

/** The newest version of each kind of row. */
function versionsIn({ rows }: Stored): ReadonlyMap<string, number> {
  const newest = new Map<string, number>()
  for (const { kind, body } of rows) newest.set(kind, Math.max(newest.get(kind) ?? 1, versionOf(body)))
  return newest
}

function versionOf(body: unknown): number {
  return typeof body === 'object' && body !== null && 'v' in body ? Number(body.v) : 1
}

/** Refusals run out, and answers to requests are kept for a day; everything else stays. */
function lostBetween(before: Stored, after: Stored): readonly string[] {
  const there = new Set(after.rows.map(({ kind, key }) => `${kind} ${key}`))
  return before.rows
    .filter(({ kind }) => kind !== 'refusal')
    .map(({ kind, key }) => `${kind} ${key}`)
    .filter((row) => !there.has(row))
}

interface Alive {
  readonly running: ReadonlySet<string>
  readonly still: ReadonlySet<string>
}

/** What was wanted and alive, and is not any more. What was leaving already may leave. */
function replacedIn(before: Stored, { running, still }: Alive): readonly string[] {
  return placementsIn(before).flatMap(({ phase, order: { tag } }) => {
    const isWanted = phase !== 'stopping' && phase !== 'gone'
    return isWanted && running.has(tag.attempt) && !still.has(tag.attempt) ? [`${tag.workload}/${tag.slot}`] : []
  })
}

/** Manifests that may be applied again without anything being started or ended by that: what is wanted, as it was applied. */
function leftAlone(stored: Stored): ReadonlyMap<string, string> {
  const failed = new Set(
    // Proven: rows of this kind hold a status.
    stored.rows
      .filter(({ kind, body }) => kind === 'status' && (body as Status).end?.state === 'failed')
      .map(({ key }) => key),
  )
  return new Map(
    workloadsIn(stored)
      .filter(({ want, scale, template, project, name }) => {
        const isAsApplied = want === 'running' && Object.keys(scale).length === 0 && template === undefined
        return isAsApplied && !failed.has(`${project}/${name}`)
      })
      .map(({ name, text }) => [name, text]),
  )
}

function changedBetween(before: Stored, after: Stored): readonly string[] {
  const now = new Map(workloadsIn(after).map((workload) => [workload.uid, workload]))
  return workloadsIn(before).flatMap(({ uid, name, generation }) => {
    const next = now.get(uid)
    return next === undefined || next.generation === generation ? [] : [`${name} has generation ${next.generation}`]
  })
}

function workloadsIn({ rows }: Stored): readonly Workload[] {
  // Proven: rows of this kind hold a workload.
  return rows.filter(({ kind }) => kind === 'workload').map(({ body }) => body as Workload)
}

function placementsIn({ rows }: Stored): readonly Placement[] {
  // Proven: rows of this kind hold a placement, and what is looked at here is the same in every version.
  return rows.filter(({ kind }) => kind === 'placement').map(({ body }) => body as Placement)
}

function countBy(words: readonly string[]): Readonly<Record<string, number>> {
  const groups = Map.groupBy(words, (word) => word)
  return Object.fromEntries([...groups].map(([word, all]) => [word, all.length]))
}
