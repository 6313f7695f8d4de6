import { residencyOfRegion } from '../../hardware/residency.ts'

/** How zones are written: as a suffix to their region. */
const ZONE_ENDINGS: readonly RegExp[] = [/-[a-z]$/, /(?<=\d)[a-z]$/, /-ad-\d$/, /-\d$/]

/** The legal area of a provider's region, zone or data centre; undefined when the name does not reveal it. */
export function residencyOf(place: string): string | undefined {
  const name = place.trim().toLowerCase()
  if (name === 'europe') return 'eu'
  return residencyOfRegion(name) ?? areaOfZone(name) ?? areaOfDataCentre(name)
}

/** The legal areas of some places, each once; places whose names do not reveal one are left out. */
export function areasOf(places: readonly string[]): readonly string[] {
  return [...new Set(places.map(residencyOf).filter((area) => area !== undefined))]
}

function areaOfZone(name: string): string | undefined {
  for (const ending of ZONE_ENDINGS) {
    const area = ending.test(name) ? residencyOfRegion(name.replace(ending, '')) : undefined
    if (area !== undefined) return area
  }
  return undefined
}

/** `EU-RO-1`: continent, country, number. */
function areaOfDataCentre(name: string): string | undefined {
  const [, country] = /^(?:ap|eu|eur|oc|sa|me|af)-([a-z]{2})-\d+$/.exec(name) ?? []
  return country === undefined ? undefined : residencyOfRegion(country)
}
