/**
 * The legal area of a region, read from its name alone: `eu` for members of the European Economic Area, otherwise the
 * country in lower case (`us`, `uk`, `ch`, `jp`, ...). Undefined when the name is not certain, or when two parts of it
 * disagree. What the infrastructure file says about a region takes precedence.
 */
export function residencyOfRegion(region: string): string | undefined {
  const name = region.trim().toLowerCase()
  const known = AREA_OF_REGION.get(name) ?? areaOfAddress(name) ?? areaOfSite(name)
  if (known !== undefined) return known

  const votes = new Set<string>()
  for (const [index, word] of name.split(/[^a-z]+/).entries()) {
    const area = AREA_OF_WORD.get(word) ?? (index === 0 ? AREA_OF_PREFIX.get(word) : undefined)
    if (area !== undefined) votes.add(area)
  }
  const [area, ...others] = votes
  return others.length === 0 ? area : undefined
}

/** One spelling for each area: lower case, `uk` for `gb`. */
export function normalizeArea(text: string): string {
  const area = text.trim().toLowerCase()
  return area === 'gb' ? 'uk' : area
}

/** `DE`, or the country in `Bavaria, DE, EU`: a marketplace's address is place, country, continent. */
function areaOfAddress(name: string): string | undefined {
  const country = /^[a-z]{2}$/.exec(name)?.[0] ?? /, ?([a-z]{2}), ?(?:af|as|eu|na|oc|sa)$/.exec(name)?.[1]
  return country === undefined ? undefined : AREA_OF_COUNTRY.get(country)
}

/** `AMS`, `nyc3`: an airport or city code and a number, with nothing else around it. */
function areaOfSite(name: string): string | undefined {
  const site = /^([a-z]{3})(?:-?\d+)?$/.exec(name)?.[1]
  return site === undefined ? undefined : AREA_OF_SITE.get(site)
}

/** Codes that also stand for a continent or a part of the world (`sa`, `me`, `af`, `as`, `na`) are not certain. */
const AREA_OF_COUNTRY = byName({
  eu: 'at be bg cy cz de dk ee es eu fi fr gr hr hu ie is it li lt lu lv mt nl no pl pt ro se si sk',
  uk: 'gb uk',
  ...alone(
    'ae al am ar au az ba bd bh bo br by ca ch cl cn co cr do ec eg ge hk id il in iq jo jp ke kr kw kz lb lk ma',
  ),
  ...alone('md mk mx my ng np nz om pa pe ph pk py qa rs ru sg th tn tr tw ua us uy uz ve vn za'),
})

/** Country codes at the start of a region's name that are not English words, continents or easily confused US states. */
const AREA_OF_PREFIX = byName({
  eu: 'bg es fi fr it nl pl se de',
  uk: 'gb uk',
  ...alone('au br ca ch il jp kr mx us'),
})

const AREA_OF_SITE = byName({
  eu: 'ams fin fra gra par waw',
  uk: 'lon',
  us: 'nyc sfo',
  ca: 'bhs tor',
  jp: 'tyo',
  au: 'syd',
})

/** Countries and cities that appear as words in region names. */
const AREA_OF_WORD = byName({
  eu:
    'amsterdam finland france frankfurt germany kristiansand madrid marseille milan netherlands norway oslo paris ' +
    'poland stockholm sweden warsaw',
  uk: 'cardiff london',
  ch: 'zurich switzerland',
  us: 'usa ashburn chicago phoenix sanjose',
  ca: 'canada montreal toronto calgary',
  mx: 'monterrey queretaro mexico',
  br: 'saopaulo vinhedo brazil',
  cl: 'santiago valparaiso chile',
  co: 'bogota colombia',
  ae: 'abudhabi dubai',
  sa: 'jeddah riyadh',
  il: 'jerusalem israel',
  za: 'johannesburg',
  in: 'bangalore hyderabad india mumbai',
  jp: 'japan osaka tokyo',
  kr: 'chuncheon korea seoul',
  sg: 'singapore',
  au: 'australia melbourne sydney',
})

/** Regions whose names give only a compass direction, so that their location must be listed. */
const AREA_OF_REGION = byName({
  eu:
    'eu-central-1 eu-north-1 eu-south-1 eu-south-2 eu-west-1 eu-west-3 eu-north1 eu-west1 eu-de eu-es ' +
    'europe-central2 europe-north1 europe-north2 europe-southwest1 europe-west1 europe-west3 europe-west4 europe-west8 ' +
    'europe-west9 europe-west10 europe-west12 europe-central-1 europe-south-1 northeurope westeurope francecentral ' +
    'germanywestcentral italynorth norwayeast polandcentral spaincentral swedencentral',
  uk: 'eu-west-2 eu-gb europe-west2 uksouth ukwest',
  ch: 'eu-central-2 europe-west6 switzerlandnorth',
  us: 'centralus eastus eastus2 northcentralus southcentralus westcentralus westus westus2 westus3 east_coast_(ny2)',
  ca: 'northamerica-northeast1 northamerica-northeast2 canadacentral canadaeast',
  mx: 'northamerica-south1 mexicocentral',
  br: 'sa-east-1 southamerica-east1 brazilsouth',
  cl: 'southamerica-west1',
  in: 'ap-south-1 ap-south-2 asia-south1 asia-south2 asia-south-1 centralindia southindia',
  jp:
    'ap-northeast-1 ap-northeast-3 asia-northeast1 asia-northeast2 asia-northeast-1 asia-northeast-2 japaneast ' +
    'japanwest',
  kr: 'ap-northeast-2 asia-northeast3 koreacentral koreasouth',
  tw: 'asia-east1',
  hk: 'ap-east-1 asia-east2 eastasia',
  sg: 'ap-southeast-1 asia-southeast1 southeastasia',
  id: 'ap-southeast-3 asia-southeast2',
  th: 'asia-southeast3',
  au: 'ap-southeast-2 ap-southeast-4 australia-southeast1 australia-southeast2 australia-east-1 australiaeast',
  za: 'af-south-1 africa-south1 southafricanorth',
  il: 'me-west1 me-west-1 israelcentral',
  ae: 'me-central-1 uaenorth',
  bh: 'me-south-1',
  qa: 'me-central1 qatarcentral',
  sa: 'me-central2',
})

/** Names are separated by spaces; a name that contains a space is written with `_`. */
function byName(areas: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const pairs = Object.entries(areas).flatMap(([area, names]) =>
    names.split(' ').map((name) => [name.replaceAll('_', ' '), area] as const),
  )
  return new Map(pairs)
}

function alone(codes: string): Record<string, string> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, code]))
}
