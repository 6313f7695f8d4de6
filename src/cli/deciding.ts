import { choosePolicy, type Config, type Policy } from '../core/config/policy.ts'
import { loadOffers } from '../control/load-offers.ts'
import { derive } from '../core/plan/derive.ts'
import { decide, type Plan } from '../core/plan/plan.ts'
import { report, type PlanReport } from '../core/plan/report.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import { UserError } from '../core/problem.ts'
import type { Manifest } from '../core/manifest/manifest.ts'
import type { Cli } from './cli.ts'
import { announce } from './offer-options.ts'
import { configFrom, findConfig, type Text } from './inputs.ts'

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
export function loadPlatform(flags: OfferFlags, cli: Cli): Platform {
  const { configText, config, paths } = findOffers(flags, cli)
  const folders = paths.filter((path) => cli.files.list(path) !== undefined)
  if (folders.length > 0)
    announce(cli, `reading ${folders.join(' ')} (\`berth offers import\` makes a snapshot that opens at once)`)
  return { configText, config, snapshot: loadOffers(paths, { files: cli.files, sources: cli.sources, config }) }
}

/** Where the offers lie: the paths in the flags, or else those the infrastructure file names. */
export function findOffers(flags: OfferFlags, cli: Cli): Omit<Platform, 'snapshot'> & { paths: readonly string[] } {
  const configText = findConfig(flags.config, cli.files)
  const config = configText === undefined ? undefined : configFrom(configText)
  const given = flags.offers ?? []
  return { configText, config, paths: given.length > 0 ? given : configuredPaths(config, configText) }
}

/** Decides where a workload would go. */
export function decideFor(manifest: Manifest, platform: Pick<Platform, 'config' | 'snapshot'>, nowMs: number): Plan {
  return decide(platform.snapshot, derive(manifest, policyFor(manifest.policy, platform.config), nowMs))
}

/** Decides where a workload would go, and explains it. */
export function planFor(
  manifest: Manifest,
  platform: Pick<Platform, 'config' | 'snapshot'>,
  nowMs: number,
): PlanReport {
  return report(decideFor(manifest, platform, nowMs))
}

export function policyFor(name: string | undefined, config: Config | undefined): Policy {
  const chosen = choosePolicy(config, name)
  if ('problem' in chosen) throw new UserError([chosen.problem])
  return chosen.policy
}

function configuredPaths(config: Config | undefined, text: Text | undefined): readonly string[] {
  const folder = text?.file.includes('/') === true ? text.file.slice(0, text.file.lastIndexOf('/') + 1) : ''
  const enabled = (config?.providers ?? []).filter((provider) => provider.enabled)
  const paths = [...new Set(enabled.flatMap((provider) => provider.offers))].map((path) =>
    path.startsWith('/') ? path : folder + path,
  )
  if (paths.length > 0) return paths
  throw new UserError([
    {
      code: 'OFFERS_MISSING',
      message: 'There are no offers to choose from.',
      hint: 'Give --offers an inventory, a snapshot or a folder of catalogues, or name `offers` for a provider in berth.config.yaml.',
    },
  ])
}
