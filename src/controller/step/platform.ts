import type { PlatformFacts, ProviderFacts } from './event.ts'

/** The platform, with its providers by name. */
export interface KnownPlatform extends Omit<PlatformFacts, 'providers'> {
  readonly providers: ReadonlyMap<string, ProviderFacts>
}
