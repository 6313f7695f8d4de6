import { cutsLeft, type CutProfile } from '../../../core/fleet/slices.ts'
import type { CardUse } from '../../../core/fleet/use.ts'

/** What more could be placed on a card. */
export type Fits =
  | { readonly kind: 'nothing' }
  /** The card is empty. `slices`: what it could be cut into instead; empty where the card is not cut. */
  | { readonly kind: 'card'; readonly slices: readonly CutProfile[] }
  | { readonly kind: 'share'; readonly milli: number }
  /** Each fits alone; two of them may overlap. */
  | { readonly kind: 'slices'; readonly slices: readonly CutProfile[] }

/** What could still be placed on a card or cut out of it. */
export function fitsOn({ card, state, holders, freeMilli }: CardUse, model: string | undefined): Fits {
  if (state === 'full' || state === 'failing') return { kind: 'nothing' }
  const taken = holders.flatMap((holder) => (holder.taken?.kind === 'slice' ? [holder.taken] : []))
  const slices = card.parts === 'mig' ? cutsLeft(model, taken) : []
  if (state === 'free') return { kind: 'card', slices }
  return slices.length > 0 ? { kind: 'slices', slices } : { kind: 'share', milli: freeMilli }
}
