import type { ExactReport } from '../../lab/exact-plan.ts'
import { many, number } from '../../core/base/words.ts'

/** The result of `--optimal`, in a line. */
export function exactLine(exact: ExactReport): string {
  const { result, why, proven, replicas, cards } = exact
  const most = cards?.most === undefined ? '' : `no plan uses more than ${many(cards.most, 'card')} there`
  const proof = proven ? 'proven best' : `not proven best: ${most}`
  const onOwn = replicas === undefined ? '' : `${replicas.placed} of ${many(replicas.wanted, 'replica')} on owned nodes`
  switch (result) {
    case 'better':
      return `Exact: ${onOwn}, ${many(cards?.placed ?? 0, 'card')} instead of ${number(cards?.engine ?? 0)}, ${proof}`
    case 'same':
      return proven
        ? `Exact: ${onOwn}, the engine’s choice is already best (proven)`
        : `Exact: ${onOwn}, nothing better than the engine’s choice was found, ${proof}`
    case 'kept':
      return `Exact: ${onOwn}, the engine’s choice is kept: using more would break a gang, a link, the policy’s order or the price (${most})`
    case 'too-large':
      return `Exact: too large for the solver (more than ${many(exact.variables_max ?? 0, 'variable')}), the engine’s choice is kept`
    case 'out-of-time':
      return 'Exact: nothing was found in time, the engine’s choice is kept'
    case 'not-tried':
      return `Exact: not tried, ${why === undefined ? '' : NOT_TRIED[why]}`
  }
}

const NOT_TRIED: Readonly<Record<NonNullable<ExactReport['why']>, string>> = {
  'no-fleet': 'no node of a fleet is suitable',
  'several-fleets': 'several fleets are suitable, and the solver handles only one',
  spread: 'the replicas are spread, which the solver does not support',
  forms: 'some work may take whole cards or several kinds of parts, which the solver does not support',
}
