import { no, unknown, type Filter } from './filter.ts'

/** Turns down what is sold out: by the provider's own word, or by a refusal that is still remembered. */
export const stock: Filter<'state'> = {
  name: 'stock',
  rank: 230,
  about: 'state',
  reasons: {
    SOLD_OUT: {
      summary: () => 'sold out',
      clears: 'capacity',
      why: 'The provider lists it and has none left.',
      fix: 'Wait, or loosen what keeps other offers out.',
    },
    HOST_FULL: {
      summary: () => 'one’s own and full: what runs there leaves too little',
      clears: 'capacity',
      why: 'The machine is one of your own and could take the workload if it were empty, but what runs there leaves too little of it.',
      fix: 'Wait, stop or move something that runs there, or ask for less; the plan names what is in the way and how much is short.',
    },
    NOT_ENOUGH_STOCK: {
      summary: (reason) => `fewer than ${reason.wanted} left`,
      clears: 'capacity',
      why: 'A gang is all or nothing, and the provider has fewer machines left than the gang has nodes.',
      fix: 'Wait, or use fewer nodes with more cards each.',
    },
    REFUSED_RECENTLY: {
      summary: () => 'refused an order a short while ago',
      clears: 'time',
      why: 'The provider turned down an order for it and that is still remembered, so that not everybody has to find out again.',
      fix: 'Wait until the memory runs out; the plan says when.',
    },
    STOCK_UNKNOWN: {
      summary: () => 'does not say whether any are left',
      clears: 'never',
      why: 'A price list does not tell stock, and the policy insists on knowing.',
      fix: 'Accept it in the policy (`unknown: { accept: [stock] }`): a refusal then leads to the next offer.',
    },
  },
  // What time alone brings is as near as can be.
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
