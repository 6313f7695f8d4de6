import type { Placement } from '../placement.ts'

/** What is known of work at a provider that Berth was not told how to reach. */
export type UnreachedWork = Pick<Placement, 'order' | 'decision'>

/**
 * How to have a provider that is not configured back, in words that go on in the middle of a sentence. The command works
 * as it stands where its kind can be told from what it runs: programs of this host are run by one kind only.
 */
export function howToReach(provider: string, known: UnreachedWork | undefined): string {
  const isOwn = known?.order.place.node !== undefined
  if (provider === 'local' && isOwn) return 'start berth up without --config, or berth provider add local --kind local'
  const back = 'start berth with the config that has it'
  if (isOwn && known?.decision?.imageUnused === true)
    return `${back}, or berth provider add ${provider} --kind local --set runtime=process`
  return `${back}, or berth provider add ${provider} --kind KIND --set … with its kind and settings`
}
