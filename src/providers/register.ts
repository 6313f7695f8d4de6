import { PROVIDER_CONTRACT, type ProviderKind } from '../ports/provider.ts'

/** How to write a provider for the contract of this version. */
export const PROVIDER_GUIDE = 'docs/guides/add-a-provider.md'

/** What every kind says of itself, in whatever version. */
interface AnyKind {
  readonly contract: string
  readonly kind: string
}

/** The kinds, all of which keep the contract of this version. A kind for another version is refused. */
export function registered(kinds: readonly AnyKind[]): readonly ProviderKind[] {
  return kinds.map((kind) => {
    if (isOfThisVersion(kind)) return kind
    throw new Error(
      `The provider kind ${kind.kind} is written for ${kind.contract}, and this version of Berth needs ${PROVIDER_CONTRACT}. ${PROVIDER_GUIDE} says what has changed.`,
    )
  })
}

function isOfThisVersion(kind: AnyKind): kind is ProviderKind {
  return kind.contract === PROVIDER_CONTRACT
}
