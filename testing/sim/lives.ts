import type { Dice } from '../../src/core/base/dice.ts'
import type { UserAction } from './users/action.ts'
import type { Wish } from './users/wishes.ts'

const FLAWS = ['refused', 'never', 'badly', 'dies'] as const
const STEPS = ['scale', 'scale', 'change', 'change', 'flaw', 'stop', 'remove', 'again'] as const

/** What its owner does to one workload over time, and what others try. */
export function livesOf(wish: Wish, stormMs: number, dice: Dice): readonly UserAction[] {
  const actions: UserAction[] = []
  let at = Math.floor(dice.next() * dice.next() * stormMs * 0.6)
  let edition = wish.edition
  actions.push({ kind: 'apply', at, wish })
  for (let turn = 0; turn < 3 && dice.oneIn(2); turn++) {
    at += 5000 + Math.floor(dice.next() * stormMs * 0.3)
    if (at > stormMs * 0.95) break
    const { name } = wish
    // Hundreds of replicas are changed one after the other: that takes longer than anybody here waits.
    const kind = wish.replicas > 20 ? 'scale' : dice.pick([...STEPS])
    if (kind === 'scale' && wish.kind === 'service') actions.push(...scales(wish, at, dice))
    if (kind === 'change') actions.push({ kind: 'apply', at, wish: { ...wish, edition: ++edition } })
    if (kind === 'again') actions.push({ kind: 'apply', at, wish: { ...wish, edition } })
    if (kind === 'stop' || kind === 'remove') actions.push({ kind, at, name })
    if (kind === 'flaw' && isSteady(wish)) {
      // A bad version, and after a while the last good one again: some are bad for longer than a roll-out waits.
      const bad = { ...wish, edition: ++edition, flaw: dice.pick([...FLAWS]) }
      actions.push({ kind: 'apply', at, wish: bad })
      const stays = dice.next()
      const mendedMs = at + 60_000 + Math.floor(stays * stormMs * 0.6)
      at = stays > 0.5 ? stormMs * 0.97 : Math.min(stormMs * 0.97, mendedMs)
      actions.push({ kind: 'apply', at, wish: { ...wish, edition: edition - 1 } })
      edition--
    }
  }
  if (dice.oneIn(6)) actions.push(meddling(wish, stormMs, dice))
  return actions
}

function isSteady({ kind, seconds }: Wish): boolean {
  return kind === 'service' && seconds === undefined
}

/** One of the roles, or all of them; sometimes another user wants another number at the same moment. */
function scales({ name, roles, spread }: Wish, at: number, dice: Dice): readonly UserAction[] {
  const role = roles === undefined ? undefined : roles[dice.roll(roles.length)]?.name
  const most = spread === 'none' ? 6 : 3
  const action = { at, name, ...(role !== undefined && { role }) }
  const scale: UserAction = { kind: 'scale', ...action, replicas: dice.roll(most) }
  return dice.oneIn(4) ? [scale, { kind: 'race', ...action, replicas: 1 + dice.roll(2) }] : [scale]
}

function meddling({ name }: Wish, stormMs: number, dice: Dice): UserAction {
  const at = Math.floor(dice.next() * stormMs * 0.95)
  const by = dice.oneIn(2) ? ('reader' as const) : ('neighbour' as const)
  return { kind: 'meddle', at, name, by, deed: dice.pick(['scale', 'stop', 'remove']) }
}
