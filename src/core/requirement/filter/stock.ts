import type { Filter } from './filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down offers that are sold out, as the provider says or as a recent refusal shows. */
export const stock: Filter<'state'> = {
  name: 'stock',
  rank: 230,
  about: 'state',
  reasons: {
    SOLD_OUT: {
      summary: () => 'sold out',
      clears: 'capacity',
      why: 'The provider lists the offer but has none left.',
      fix: 'Wait, or loosen the requirements that turn down other offers.',
    },
    HOST_FULL: {
      summary: () => 'your own machine, too full: what runs there leaves too little',
      clears: 'capacity',
      why: 'The machine is one of your own and could take the workload if it were empty, but what runs there leaves too little room.',
      fix: 'Wait, stop or move something that runs there, or ask for less. The plan names what runs there and how much room is missing.',
    },
    NOT_ENOUGH_STOCK: {
      summary: (reason) => `fewer than ${reason.wanted} left`,
      clears: 'capacity',
      why: 'A gang starts on all of its nodes or not at all, and the provider has fewer machines left than the gang has nodes.',
      fix: 'Wait, or use fewer nodes with more cards each.',
    },
    REFUSED_RECENTLY: {
      summary: () => 'refused an order recently',
      clears: 'time',
      why: 'The provider refused an order for this offer. Berth does not order it again for a while.',
      fix: 'Wait; the plan says when Berth tries it again.',
    },
    STOCK_UNKNOWN: {
      summary: () => 'does not say whether any are left',
      clears: 'never',
      why: 'The source does not say whether any are left, and the policy does not accept an unknown.',
      fix: 'Accept it in the policy (`unknown: { accept: [stock] }`); if the provider then refuses, Berth tries the next offer.',
    },
  },
  // Waiting alone cures these, so no change is needed: the distance is zero.
  miss: () => 0,
  check(state, need, nowMs) {
    const wanted = String(need.nodes)
    if (state.stock === 'full') return no('HOST_FULL', wanted, '0')
    if (state.stock === 'sold_out') return no('SOLD_OUT', wanted, '0')
    if (state.units !== undefined && state.units < need.nodes)
      return no('NOT_ENOUGH_STOCK', wanted, String(state.units))
    if (state.refusedUntilMs !== undefined && state.refusedUntilMs > nowMs && state.refusedWhy !== 'quota') {
      return no('REFUSED_RECENTLY', wanted, state.refusedWhy ?? 'refused')
    }
    return state.stock === undefined ? unknown('STOCK_UNKNOWN', wanted) : undefined
  },
}
