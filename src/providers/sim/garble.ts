import type { Dice } from '../../core/base/dice.ts'
import type { Instance, Inventory, Launched } from '../../ports/provider.ts'

/** Numbers that do not belong in an answer. */
const NONSENSE: readonly [number, ...number[]] = [Number.NaN, Number.POSITIVE_INFINITY, -1, 1e308, -0, 9e15]

/** An unusable answer to a launch; undefined: it cannot even be read. */
export function spoiledLaunch(launched: Launched, dice: Dice): Launched | undefined {
  return dice.oneIn(2) ? undefined : { ...launched, usdPerHour: dice.pick([Number.NaN, Number.POSITIVE_INFINITY, -1]) }
}

/** An unusable answer to the launch of a group: one member is missing, or cannot be read. */
export function spoiledGroup(launched: readonly Launched[], dice: Dice): readonly Launched[] | undefined {
  const [first, ...rest] = launched
  if (first === undefined || dice.oneIn(3)) return undefined
  return dice.oneIn(2) ? rest : [{ ...first, usdPerHour: Number.NaN }, ...rest]
}

/** An unknown state, and invalid numbers. It still carries its tag and its name. */
export function spoiledInstance(instance: Instance, dice: Dice): Instance {
  return {
    instance: instance.instance,
    tag: instance.tag,
    state: 'unclear',
    usdPerHour: dice.pick(NONSENSE),
    checkpointMs: dice.pick(NONSENSE),
    ...(dice.oneIn(3) && { endsAtMs: Number.NaN }),
  }
}

/** Offers with some invalid prices and counts, and one duplicate. */
export function spoiledInventory(capacity: Inventory, dice: Dice): Inventory | undefined {
  if (dice.oneIn(3)) return undefined
  const offers = capacity.offers.map((offer) => {
    if (!dice.oneIn(3)) return offer
    const stock = { level: 'available', units: dice.pick(NONSENSE), seenAtMs: dice.pick(NONSENSE) } as const
    return { ...offer, usdPerHour: dice.pick([Number.NaN, -1]), spotUsdPerHour: dice.pick([Number.NaN, -1]), stock }
  })
  const twice = dice.oneIn(2) ? offers.slice(0, 1) : []
  return { ...capacity, offers: [...offers, ...twice] }
}
