import type { OwnHints } from '../../core/place/own/hint.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import type { Snapshot } from '../../core/offer/snapshot.ts'
import { UserError } from '../../core/base/problem.ts'
import { decodeSnapshot, encodeSnapshot, isSnapshot } from '../../formats/snapshot-file.ts'
import type { Cli } from '../cli.ts'
import type { Platform } from './deciding.ts'
import { readText, type Text } from '../inputs.ts'

/** A plan with everything it was decided from. The offers are in a snapshot file next to it. */
export interface SavedPlan {
  readonly berth: 'v1'
  readonly kind: 'plan'
  readonly now_ms: number
  readonly manifest: Text
  readonly config: Text | undefined
  /** The file name of the snapshot next to the plan; left out: a control plane decided and has the offers. */
  readonly offers?: string
  /** Spots that a solver found and the decision used; left out: the engine chose. */
  readonly hints?: OwnHints
  readonly report: PlanReport
}

export interface Keeping {
  readonly manifestText: Text
  /** Undefined: a control plane decided. */
  readonly platform: Platform | undefined
  readonly nowMs: number
  readonly hints: OwnHints | undefined
  readonly report: PlanReport
}

/** Writes the plan and its offers, which is all that a replay needs. */
export function savePlan(path: string, { manifestText, platform, nowMs, hints, report }: Keeping, cli: Cli): void {
  const offers = `${nameOf(path)}.offers`
  const beside = folderOf(path) + offers
  refuseToReplace(path, isPlanFile, cli)
  if (platform !== undefined) refuseToReplace(beside, isSnapshot, cli)
  const saved: SavedPlan = {
    berth: 'v1',
    kind: 'plan',
    now_ms: nowMs,
    manifest: manifestText,
    config: platform?.configText,
    ...(platform && { offers }),
    ...(hints && { hints }),
    report,
  }
  const text = new TextEncoder().encode(`${JSON.stringify(saved, undefined, 2)}\n`)
  const isBeside = platform === undefined || cli.files.write(beside, encodeSnapshot(platform.snapshot))
  const written = isBeside && cli.files.write(path, text)
  if (!written)
    throw new UserError([
      {
        code: 'FILE_NOT_WRITTEN',
        message: `The plan could not be written to ${path}.`,
        found: path,
        hint: 'Check that the folder exists and is writable.',
      },
    ])
}

/** Only files that Berth wrote may be overwritten, so that a mistyped path never destroys a manifest. */
export function refuseToReplace(path: string, isOurs: (bytes: Uint8Array) => boolean, { files }: Cli): void {
  const bytes = files.read(path)
  if (bytes === undefined || bytes.length === 0 || isOurs(bytes)) return
  const message = `${path} already exists and is not a file that Berth wrote.`
  const hint = 'Nothing was written. Choose another name, or remove the file first.'
  throw new UserError([{ code: 'FILE_IN_THE_WAY', message, found: path, hint }])
}

function isPlanFile(bytes: Uint8Array): boolean {
  return isSavedPlan(parseJson(new TextDecoder().decode(bytes)))
}

/** A saved plan with its offers. Throws a UserError that says what is missing. */
export function openPlan(path: string, cli: Cli): { readonly saved: SavedPlan; readonly snapshot: Snapshot } {
  const saved = readPlan(path, cli)
  if (saved.offers === undefined) throw decidedElsewhere(path)
  const beside = folderOf(path) + saved.offers
  const bytes = cli.files.read(beside)
  const snapshot = bytes === undefined ? undefined : decodeSnapshot(bytes)
  if (snapshot !== undefined) return { saved, snapshot }
  const message =
    bytes === undefined
      ? `The offers of this plan are missing: ${beside}.`
      : `The offers of this plan are damaged: ${beside}.`
  throw new UserError([
    {
      code: 'PLAN_UNREADABLE',
      message,
      found: beside,
      hint: 'A saved plan consists of two files; copy both. Make a new one with `berth plan … --save`.',
    },
  ])
}

function decidedElsewhere(path: string): UserError {
  const message = `${path} was decided by a control plane, and its offers were not saved with it.`
  const hint = `It can be applied (berth apply --plan) and compared (berth diff). For a plan that can be replayed, use --offers.`
  return new UserError([{ code: 'PLAN_UNREADABLE', message, found: path, hint }])
}

/** A saved plan without its offers. */
export function readPlan(path: string, cli: Cli): SavedPlan {
  const { file, text } = readText(path, cli.files)
  const parsed = parseJson(text)
  if (isSavedPlan(parsed)) return parsed
  throw new UserError([
    {
      code: 'PLAN_UNREADABLE',
      message: `${file} is not a plan that Berth saved.`,
      found: file,
      hint: 'Make one with `berth plan … --save FILE`.',
    },
  ])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isSavedPlan(value: unknown): value is SavedPlan {
  if (typeof value !== 'object' || value === null) return false
  const plan = value as Partial<Record<keyof SavedPlan, unknown>> // Every key is checked below.
  const texts = [plan.manifest, plan.config].every((text) => text === undefined || isText(text))
  return (
    plan.berth === 'v1' &&
    plan.kind === 'plan' &&
    typeof plan.now_ms === 'number' &&
    isText(plan.manifest) &&
    texts &&
    (plan.offers === undefined || (typeof plan.offers === 'string' && !plan.offers.includes('/'))) &&
    (plan.hints === undefined || isHints(plan.hints)) &&
    isReport(plan.report)
  )
}

/** Checks enough to recognise a report; the contents of its parts are trusted. */
function isReport(value: unknown): value is PlanReport {
  if (typeof value !== 'object' || value === null) return false
  const report = value as Partial<Record<keyof PlanReport, unknown>> // Every key used is checked below.
  const lists = [report.chosen, report.relaxations, report.asks].every(Array.isArray)
  const maps = [report.policy, report.offers, report.refused].every((part) => typeof part === 'object' && part !== null)
  return lists && maps && typeof report.workload === 'string' && typeof report.usd_per_hour === 'number'
}

/** The contents are checked when they are used: a spot that is not free is ignored. */
function isHints(value: unknown): value is OwnHints {
  if (typeof value !== 'object' || value === null || !('fleet' in value) || !('asks' in value)) return false
  return typeof value.fleet === 'number' && Array.isArray(value.asks)
}

function isText(value: unknown): value is Text {
  return (
    typeof value === 'object' &&
    value !== null &&
    'file' in value &&
    'text' in value &&
    typeof value.file === 'string' &&
    typeof value.text === 'string'
  )
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '')
}
