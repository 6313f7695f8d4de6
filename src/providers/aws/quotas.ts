/** A quota of an account in a region, in processors. */
export interface AwsQuota {
  readonly name: string
  readonly vcpus: number
}

/** What runs in the account, of whatever owner. */
export interface AwsRunning {
  readonly type: string
  readonly vcpus: number
  readonly isSpot: boolean
}

/** How many more machines of a type the account may have on either terms; undefined: nobody says. */
export function quotaLeft(
  { type, vcpus }: { readonly type: string; readonly vcpus: number },
  quotas: readonly AwsQuota[],
  running: readonly AwsRunning[],
): number | undefined {
  const left = (['on-demand', 'spot'] as const).map((market) => {
    const quota = quotas.find(({ name }) => isAbout(name, market, type))
    if (quota === undefined) return undefined
    const used = running
      .filter((machine) => machine.isSpot === (market === 'spot') && isAbout(quota.name, market, machine.type))
      .reduce((sum, machine) => sum + machine.vcpus, 0)
    return Math.max(0, Math.floor((quota.vcpus - used) / vcpus))
  })
  const known = left.filter((each) => each !== undefined)
  return known.length < left.length ? undefined : Math.max(...known)
}

/** `Running On-Demand P instances`, `All P4, P3 and P2 Spot Instance Requests`, `Running On-Demand Standard (A, C, …) instances` */
function isAbout(name: string, market: 'on-demand' | 'spot', type: string): boolean {
  const pattern = market === 'spot' ? /^All (.+) Spot Instance Requests$/ : /^Running On-Demand (.+) instances$/
  const families: readonly string[] = pattern.exec(name)?.[1]?.match(/[A-Za-z0-9]+/g) ?? []
  const [, letters = '', generation = ''] = /^([a-z]+)(\d*)/.exec(type) ?? []
  const family = letters.toUpperCase()
  // Names with a number are about that generation alone: `P5` is not all of `P`.
  return (
    families.includes(`${family}${generation}`) || families.includes(family) || families.includes(PARTS[family] ?? '')
  )
}

/** Families that count as another one. */
const PARTS: Readonly<Record<string, string>> = { GR: 'G' }
