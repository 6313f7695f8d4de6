import { choosePolicy, type Config, type Policy } from '../../core/policy/policy.ts'
import { loadOffers } from '../../catalogues/load-offers.ts'
import { derive } from '../../core/place/derive.ts'
import type { OwnHints } from '../../core/place/own/hint.ts'
import { NOTHING_USED } from '../../core/place/limits.ts'
import { place, type PlaceInput } from '../../core/place/place.ts'
import type { Plan } from '../../core/place/plan.ts'
import { report, type PlanReport } from '../../core/place/explain/report.ts'
import type { Snapshot } from '../../core/offer/snapshot.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import type { Manifest, SpotUse } from '../../core/manifest/manifest.ts'
import { must } from '../../core/base/assert.ts'
import type { Cli } from '../cli.ts'
import { announce } from '../offers/offer-options.ts'
import { watchedFiles } from '../terminal/progress.ts'
import { configFrom, findConfig, type Text } from '../inputs.ts'

/** Flags that say where offers and policies come from, the same on every command that decides. */
export interface OfferFlags {
  readonly offers?: readonly string[]
  readonly config?: string
}

/** The platform's side of a decision. */
export interface Platform {
  readonly configText: Text | undefined
  readonly config: Config | undefined
  readonly snapshot: Snapshot
}

/** Reads the infrastructure file and the offers that it or the flags name. */
export function loadPlatform(flags: OfferFlags, cli: Cli, missing = OFFERS_MISSING): Platform {
  const { configText, config, paths, owners } = findOffers(flags, cli, missing)
  const folders = paths.filter((path) => cli.files.list(path) !== undefined)
  if (folders.length > 0)
    announce(cli, `reading ${folders.join(' ')} (\`berth offers import\` makes a snapshot that opens in milliseconds)`)
  const { files, done } = watchedFiles(cli)
  const snapshot = loadOffers(paths, { files, sources: cli.sources, config, owners })
  done()
  return { configText, config, snapshot }
}

/** Where offers come from. */
export interface OfferPaths extends Omit<Platform, 'snapshot'> {
  readonly paths: readonly string[]
  /** The provider under which the infrastructure file lists a path. */
  readonly owners: ReadonlyMap<string, string>
}

/** The paths in the flags, else those in the infrastructure file. Throws `missing` when there are none. */
export function findOffers(flags: OfferFlags, cli: Cli, missing = OFFERS_MISSING): OfferPaths {
  const configText = findConfig(flags.config, cli.files)
  const config = configText === undefined ? undefined : configFrom(configText)
  const given = flags.offers ?? []
  const owners = configuredPaths(config, configText)
  const paths = given.length > 0 ? given : [...owners.keys()]
  if (paths.length === 0) throw new UserError([missing])
  return { configText, config, paths, owners }
}

/** What a decision is made from. */
export interface DecisionInputs extends Pick<Platform, 'config' | 'snapshot'> {
  /** Spots that a solver found; left out: none. */
  readonly hints?: OwnHints
}

/** The project whose limits in the infrastructure file apply to a plan from files. Nothing of it runs, as far as files tell. */
const PROJECT = 'default'

/** What manifests ask, one after the other. */
export function questionOf(
  manifests: readonly Manifest[],
  { config, snapshot, hints }: DecisionInputs,
  nowMs: number,
): PlaceInput {
  const workloads = manifests.map((manifest) => {
    const input = derive(manifest, policyFor(manifest.policy, config, manifest.spot), nowMs)
    return { ...input, project: PROJECT, ...(hints && { hints }) }
  })
  const stated = config?.projects.find(({ name }) => name === PROJECT)
  const limits = new Map(stated === undefined ? [] : [[PROJECT, { ...stated, used: NOTHING_USED }]])
  return { capacity: snapshot, workloads, limits }
}

/** Decides where a workload would go. */
export function decideFor(manifest: Manifest, deciding: DecisionInputs, nowMs: number): Plan {
  return must(place(questionOf([manifest], deciding, nowMs))[0], 'one workload')
}

/** Decides where a workload would go, and explains it. */
export function planFor(manifest: Manifest, deciding: DecisionInputs, nowMs: number): PlanReport {
  return report(decideFor(manifest, deciding, nowMs))
}

export function policyFor(name: string | undefined, config: Config | undefined, spot?: SpotUse): Policy {
  const chosen = choosePolicy(config, name, spot)
  if ('problem' in chosen) throw new UserError([chosen.problem])
  return chosen.policy
}

/** The paths of every enabled provider, relative to the current folder. */
export function configuredPaths(config: Config | undefined, text: Text | undefined): ReadonlyMap<string, string> {
  const folder = text?.file.includes('/') === true ? text.file.slice(0, text.file.lastIndexOf('/') + 1) : ''
  const owners = new Map<string, string>()
  for (const { name, offers, enabled } of config?.providers ?? []) {
    for (const path of enabled ? offers : []) {
      const full = path.startsWith('/') ? path : folder + path
      if (!owners.has(full)) owners.set(full, name)
    }
  }
  return owners
}

const OFFERS_MISSING: SourcedProblem = {
  code: 'OFFERS_MISSING',
  message: 'There are no offers to choose from.',
  hint: 'Give --offers an inventory, a fleet file, a snapshot or a folder of catalogues, or name `offers` for a provider in berth.config.yaml.',
}
