import type { Placement } from '../placement.ts'

/** What is known about work at a provider that is not configured. */
export type UnreachedWork = Pick<Placement, 'order' | 'decision'>

/**
 * How to get back a provider that is not configured, in words that continue a sentence. The command can be copied as it
 * is where the provider's kind follows from what it runs: only one kind runs programs of this host.
 */
export function howToReach(provider: string, known: UnreachedWork | undefined): string {
  const isOwn = known?.order.place.node !== undefined
  if (provider === 'local' && isOwn) return 'start berth up without --config, or berth provider add local --kind local'
  const back = 'start berth with the config that has it'
  if (isOwn && known?.decision?.imageUnused === true)
    return `${back}, or berth provider add ${provider} --kind local --set runtime=process`
  return `${back}, or berth provider add ${provider} --kind KIND --set … with its kind and settings`
}
