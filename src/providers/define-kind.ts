import type * as z from 'zod'
import type { Provider, ProviderDeps, ProviderKind } from '../ports/provider.ts'

/** A kind with the type of its settings. */
export interface KindDefinition<Settings> extends Omit<ProviderKind, 'settings' | 'open'> {
  readonly settings: z.ZodType<Settings>
  readonly open: (name: string, settings: Settings, deps: ProviderDeps) => Promise<Provider>
}

/** A kind as the registry has it. */
export function defineKind<Settings>(definition: KindDefinition<Settings>): ProviderKind {
  return {
    ...definition,
    // Proven: `settings` are what the schema beside this method made of them.
    open: (name, settings, deps) => definition.open(name, settings as Settings, deps),
  }
}
