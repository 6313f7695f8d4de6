import type { ProviderKind } from '../ports/provider.ts'
import { localKind } from './local/kind.ts'
import { simKind } from './sim/kind.ts'

/** Every kind of provider, in the order in which they are shown. A new one is a line here. */
export const PROVIDER_KINDS: readonly ProviderKind[] = [localKind, simKind]
