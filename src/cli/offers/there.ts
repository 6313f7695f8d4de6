import type { Command } from 'commander'
import { EXIT, type Cli } from '../cli.ts'
import { isKnownTarget } from '../platform/connection.ts'
import type { OfferFlags } from '../plan/deciding.ts'
import { number } from '../../core/base/words.ts'
import type { ProjectFlags } from '../remote.ts'

/** The most offers that a control plane returns at once. */
export const SHOWN_MAX = 500

export interface ThereFlags extends OfferFlags, ProjectFlags {}

/** Whether to ask the control plane. `--offers` and `--config` mean local files instead. */
export function isThere(flags: ThereFlags, command: Command, cli: Cli): boolean {
  const isHere = (flags.offers ?? []).length > 0 || flags.config !== undefined
  const isNamed = [flags.url, flags.tokenFile, flags.context, flags.project].some((flag) => flag !== undefined)
  if (isHere && isNamed) {
    const text =
      'error: --offers and --config read local files; they cannot be combined with --url, --token-file, --context or --project, which ask the control plane'
    command.error(text, { exitCode: EXIT.usage })
  }
  return !isHere && (isNamed || isKnownTarget(flags, cli))
}

/** How many entries a list leaves out, and how to see them; nothing when it is complete. */
export function moreLines({ shown, all, there }: { shown: number; all: number; there: boolean }): readonly string[] {
  if (shown === all) return []
  const how = there && all > SHOWN_MAX ? `--limit ${SHOWN_MAX} at most` : `--limit ${all}`
  return [`and ${number(all - shown)} more (${how})`]
}
