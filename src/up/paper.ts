import { configuredPaths } from '../cli/plan/deciding.ts'
import { findConfig } from '../cli/inputs.ts'
import { loadOffers } from '../catalogues/load-offers.ts'
import type { Config } from '../core/policy/policy.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import { OFFER_SOURCES } from '../catalogues/sources.ts'
import type { Files } from '../ports/files.ts'
import type { Log } from '../ports/log.ts'

/** Providers of the infrastructure file with offers but no `kind`: Berth knows their prices but cannot launch there. */
export function paperProviders(config: Config | undefined): readonly string[] {
  return (config?.providers ?? [])
    .filter(({ kind, enabled, offers }) => kind === undefined && enabled && offers.length > 0)
    .map(({ name }) => name)
}

interface PaperParts {
  readonly config: Config | undefined
  /** The path in `--config`; undefined: the file in the current folder. */
  readonly configPath: string | undefined
  readonly files: Files
  readonly log: Log
}

/** The offers of those providers, read on first use and cached. A failure is logged once. */
export function paperCapacity({ config, configPath, files, log }: PaperParts): () => Snapshot | undefined {
  let known: { readonly snapshot: Snapshot | undefined } | undefined
  return () => (known ??= { snapshot: read() }).snapshot

  function read(): Snapshot | undefined {
    const names = new Set(paperProviders(config))
    if (config === undefined || names.size === 0) return undefined
    try {
      const paths = configuredPaths(config, findConfig(configPath, files))
      const owners = new Map([...paths].filter(([, name]) => names.has(name)))
      return loadOffers([...owners.keys()], { files, sources: OFFER_SOURCES, config, owners })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      log.warn('the offers of price lists cannot be read, so plans do not mention them', { why })
      return undefined
    }
  }
}
