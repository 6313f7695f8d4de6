import type { Command } from 'commander'
import { EXIT, type Cli } from '../cli.ts'
import { isKnownTarget } from '../platform/connection.ts'
import type { OfferFlags } from '../plan/deciding.ts'
import { number } from '../words/words.ts'
import type { ProjectFlags } from '../remote.ts'

/** Most offers that a control plane shows at once. */
export const SHOWN_MAX = 500

export interface ThereFlags extends OfferFlags, ProjectFlags {}

/** Whether the control plane is to be asked: offers that are named win, and so does an infrastructure file that is named. */
export function isThere(flags: ThereFlags, command: Command, cli: Cli): boolean {
  const isHere = (flags.offers ?? []).length > 0 || flags.config !== undefined
  const isNamed = [flags.url, flags.tokenFile, flags.context, flags.project].some((flag) => flag !== undefined)
  if (isHere && isNamed) {
    const text =
      'error: --offers and --config look here; --url, --token-file, --context and --project ask the control plane'
    command.error(text, { exitCode: EXIT.usage })
  }
  return !isHere && (isNamed || isKnownTarget(flags, cli))
}

/** What a list leaves out, and how to see it; nothing where it leaves out none. */
export function moreLines({ shown, all, there }: { shown: number; all: number; there: boolean }): readonly string[] {
  if (shown === all) return []
  const how = there && all > SHOWN_MAX ? `--limit ${SHOWN_MAX} at most` : `--limit ${all}`
  return [`and ${number(all - shown)} more (${how})`]
}
