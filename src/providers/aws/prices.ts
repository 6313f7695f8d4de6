import * as z from 'zod'

const usd = z.object({ pricePerUnit: z.object({ USD: z.string() }), unit: z.string() })
const term = z.object({ priceDimensions: z.record(z.string(), usd) })
const product = z.object({
  product: z.object({ attributes: z.object({ instanceType: z.string() }) }),
  terms: z.object({ OnDemand: z.record(z.string(), term) }),
})

/** Dollars an hour by type of machine, from entries of the price list. An entry that cannot be read has no price. */
export function pricesIn(entries: readonly unknown[]): ReadonlyMap<string, number> {
  const prices = new Map<string, number>()
  for (const entry of entries) {
    // The SDK hands texts over as objects that hold one.
    const isRead = typeof entry === 'object' && entry !== null && 'product' in entry
    const read = product.safeParse(isRead ? entry : jsonIn(String(entry)))
    if (!read.success) continue
    const { terms, product: machine } = read.data
    const hourly = Object.values(terms.OnDemand)
      .flatMap(({ priceDimensions }) => Object.values(priceDimensions))
      .filter(({ unit }) => /^h(?:ou)?rs?$/i.test(unit))
      .map(({ pricePerUnit }) => Number(pricePerUnit.USD))
      .filter((price) => Number.isFinite(price) && price > 0)
    const { instanceType } = machine.attributes
    const known = prices.get(instanceType)
    // Two prices for the same machine: the higher one, so that nobody is surprised.
    if (hourly.length > 0) prices.set(instanceType, Math.max(known ?? 0, ...hourly))
  }
  return prices
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What is asked for: a machine with Linux and nothing else on it, on shared hardware. */
export function priceFilters(region: string, types: readonly string[]) {
  const exact = {
    regionCode: region,
    operatingSystem: 'Linux',
    preInstalledSw: 'NA',
    tenancy: 'Shared',
    capacitystatus: 'Used',
    marketoption: 'OnDemand',
  }
  return [
    ...Object.entries(exact).map(([Field, Value]) => ({ Type: 'TERM_MATCH' as const, Field, Value })),
    { Type: 'ANY_OF' as const, Field: 'instanceType', Value: types.join(',') },
  ]
}

/** The text of a filter has room for so much; types are asked for in turns. */
export function inTurns(types: readonly string[], lettersMost = 900): readonly (readonly string[])[] {
  const turns: string[][] = []
  for (const type of types) {
    const last = turns.at(-1)
    if (last !== undefined && last.join(',').length + type.length + 1 <= lettersMost) last.push(type)
    else turns.push([type])
  }
  return turns
}
