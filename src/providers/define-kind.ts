import type * as z from 'zod'
import type { Provider, ProviderDeps, ProviderKind } from '../ports/provider.ts'

/** A kind with the type of its settings. */
export interface KindDefinition<Settings> extends Omit<ProviderKind, 'settings' | 'open' | 'needsCredential'> {
  readonly settings: z.ZodType<Settings>
  readonly needsCredential?: (settings: Settings) => boolean
  readonly open: (name: string, settings: Settings, deps: ProviderDeps) => Promise<Provider>
}

/** A kind as the registry has it. */
export function defineKind<Settings>(definition: KindDefinition<Settings>): ProviderKind {
  const { needsCredential, ...rest } = definition
  return {
    ...rest,
    // Proven, here and below: `settings` are what the schema beside these methods made of them.
    ...(needsCredential !== undefined && { needsCredential: (settings) => needsCredential(settings as Settings) }),
    // Proven: see above.
    open: (name, settings, deps) => definition.open(name, settings as Settings, deps),
  }
}
