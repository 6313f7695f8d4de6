import { areasOf, residencyOf } from './region.ts'
import { asScalar, atKey, itemsIn, numberOf, sitesIn, textOf, textsIn, unique, wordsOf } from './rule.ts'
import type { CouplingFinding, ForeignPolicy, CouplingRule, KeySite } from './rule.ts'

/** Providers and their other names. */
const PROVIDERS = `
  aws amazon ec2 eks sagemaker awsbatch
  gcp google gce gke googlecloud vertex
  azure aks azureml microsoft
  oci oracle
  ibm ibmcloud
  lambda lambdalabs lambda_labs
  runpod
  vast vastai vast.ai
  nebius
  yotta yottalabs
  verda datacrunch
  crusoe
  hyperstack nexgencloud
  shadeform
  primeintellect prime_intellect prime
  coreweave
  together togetherai
  paperspace
  digitalocean do
  vultr
  ovhcloud ovh
  scaleway
  hetzner
  fluidstack
  cudo cudocompute
  tensordock
  hyperbolic
  mithril fluid_foundry
  seeweb
  scp samsung
  vsphere
  cloudrift
  hotaisle hot_aisle
  modal
  baseten
  replicate
  alibaba aliyun
  tencent
  cloudflare
  kubernetes k8s
  slurm
  ssh
`

const PROVIDER_NAMES: ReadonlyMap<string, string> = new Map(
  PROVIDERS.trim()
    .split('\n')
    .flatMap((line) => {
      const names = wordsOf(line)
      return names.map((name) => [name, names[0] ?? name] as const)
    }),
)

/** The words that tools use for spot and on-demand. */
const SPOT_WORDS: ReadonlyMap<string, NonNullable<ForeignPolicy['spot']>> = new Map([
  ...wordsOf('true 1 yes spot only low preemptible interruptible').map((word) => [word, 'only'] as const),
  ...wordsOf('false 0 no never ondemand regular standard dedicated').map((word) => [word, 'never'] as const),
  ...wordsOf('auto any allowed mixed fallback').map((word) => [word, 'allowed'] as const),
])

const providers: CouplingRule = {
  keys: 'cloud clouds cloud_provider cloud_providers cloud_name provider providers',
  deep: true,
  read(site) {
    const names = textsIn(site.value)
    return names.length > 0 ? [atKey(site, saidOfProviders(names))] : providerBlocks(site)
  },
}

/** Words that mean something else in many files, so they count only with the name of a known provider. */
const backends: CouplingRule = {
  keys: 'backend backends',
  read(site) {
    const names = textsIn(site.value)
    const known = names.length > 0 && names.every((name) => providerNamed(name) !== undefined)
    return known ? [atKey(site, saidOfProviders(names))] : []
  },
}

const regions: CouplingRule = {
  keys: `region regions aws_region gcp_region azure_region preferred_regions data_center data_centers data_center_id
    data_center_ids datacenter datacenters country_code country_codes region_name`,
  read(site) {
    const names = textsIn(site.value)
    return names.length === 0 ? [] : [atKey(site, saidOfRegions(names))]
  },
}

const locations: CouplingRule = {
  keys: 'location locations geolocation country countries',
  read(site) {
    const names = textsIn(site.value)
    const known = names.length > 0 && names.every((name) => residencyOf(name) !== undefined)
    return known ? [atKey(site, saidOfRegions(names))] : []
  },
}

const zones: CouplingRule = {
  keys: 'zone zones availability_zone availability_zones availability_domain az azs',
  read(site) {
    const names = textsIn(site.value)
    return names.length === 0 ? [] : [atKey(site, saidOfZones(names))]
  },
}

const spot: CouplingRule = {
  keys: `use_spot spot is_spot spot_policy spot_instance spot_instances preemptible interruptible provisioning_model
    capacity_type market_type purchase_option preemptibility`,
  read(site) {
    const text = textOf(site.value) ?? ''
    // This is Berth's own key, in its own place.
    if (site.path.length === 1 && site.key === 'spot' && /^(never|allowed|only)$/.test(text)) return []
    const terms = spotTerms(text)
    return terms === undefined ? [] : [atKey(site, saidOfSpot(terms))]
  },
}

/** A block of settings for spot machines asks for one by its presence. */
const spotBlock: CouplingRule = {
  keys: 'instance_market_options spot_market_options spot_options spot_instance_request',
  read(site) {
    return site.value.kind === 'scalar' ? [] : [atKey(site, saidOfSpot('only'))]
  },
}

/** In most files the word means another kind of priority. */
const spotPriority: CouplingRule = {
  keys: 'priority scale_set_priority',
  read(site) {
    return /^(spot|low)$/i.test(textOf(site.value) ?? '') ? [atKey(site, saidOfSpot('only'))] : []
  },
}

const prices: CouplingRule = {
  keys: `max_price max_hourly_price max_hourly_cost max_price_per_hour max_bid_price bid_price spot_price bid_per_gpu
    price_max max_cost_per_hour`,
  read(site) {
    const usd = numberOf(site.value) ?? Number(/^\$\s?(\d+(?:\.\d+)?)/.exec(textOf(site.value) ?? '')?.[1])
    if (!(usd > 0)) return []
    return [atKey(site, { does: 'sets a price', policy: { maxUsdPerHour: usd } })]
  },
}

/** Providers, regions, zones, terms and prices: every tool has words for them, and in Berth a policy decides them. */
export const PLACE_RULES: readonly CouplingRule[] = [
  providers,
  backends,
  regions,
  locations,
  zones,
  spot,
  spotBlock,
  spotPriority,
  prices,
]

function saidOfProviders(names: readonly string[]): Omit<CouplingFinding, 'at' | 'path' | 'found'> {
  const allow = unique(names.map((name) => providerNamed(name) ?? asScalar(name)))
  return { does: names.length === 1 ? 'names one provider' : `names ${names.length} providers`, policy: { allow } }
}

export function saidOfRegions(names: readonly string[]): Omit<CouplingFinding, 'at' | 'path' | 'found'> {
  const does = names.length === 1 ? "names one provider's region" : `names ${names.length} regions`
  return { does, policy: { residency: areasOf(names) } }
}

export function saidOfZones(names: readonly string[]): Omit<CouplingFinding, 'at' | 'path' | 'found'> {
  const does = names.length === 1 ? "names one provider's zone" : `names ${names.length} zones`
  return { does, policy: { residency: areasOf(names) } }
}

export function saidOfSpot(terms: NonNullable<ForeignPolicy['spot']>): Omit<CouplingFinding, 'at' | 'path' | 'found'> {
  return { does: 'sets the terms on which machines are rented', policy: { spot: terms } }
}

/** What a tool's word for spot or on-demand means. */
export function spotTerms(word: string): ForeignPolicy['spot'] {
  return SPOT_WORDS.get(word.toLowerCase().replace(/[_-]/g, ''))
}

/** The usual short name of a provider, whichever of its names is given. */
export function providerNamed(name: string): string | undefined {
  return PROVIDER_NAMES.get(name.trim().toLowerCase())
}

/** `provider: { aws: { region: ... } }`: blocks of settings, each under the name of its provider. */
function providerBlocks(site: KeySite): readonly CouplingFinding[] {
  return itemsIn(site)
    .flatMap(({ node, path }) => sitesIn(node, { path, document: site.document }))
    .filter((block) => block.value.kind !== 'scalar' && providerNamed(block.key) !== undefined)
    .map((block) => atKey(block, saidOfProviders([block.key])))
}
