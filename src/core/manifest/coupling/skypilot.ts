import type { DocNode } from '../../document/document.ts'
import { countIn, readAlternatives, saidOfCards, sizeIn, weakest } from './card.ts'
import { providerNamed, saidOfSpot, spotTerms } from './places.ts'
import { areasOf } from './region.ts'
import { IN_A_MANIFEST, asScalar, atKey, itemsIn, numberOf, textOf, textsIn, unique, valueIn } from './rule.ts'
import type { ForeignGpu, ForeignPolicy, CouplingRule, Said } from './rule.ts'

const accelerators: CouplingRule = {
  keys: 'accelerators',
  read(site) {
    const texts = acceleratorsIn(site.value)
    return texts.length === 0 ? [] : [atKey(site, saidOfCards(readAlternatives(texts)))]
  },
}

const acceleratorArgs: CouplingRule = {
  keys: 'accelerator_args',
  read: (site) => [
    atKey(site, {
      does: "sets up one provider's accelerators",
      advice: 'Remove it. The chosen provider sets up its own machines.',
    }),
  ],
}

const cpus: CouplingRule = {
  keys: 'cpus vcpus num_cpus vcpu',
  read(site) {
    const cpu = countIn(textOf(site.value) ?? '') ?? numberOf(site.value)
    return cpu === undefined ? [] : [atKey(site, inOtherWords('CPUs', `cpu: ${cpu}`))]
  },
}

const diskSize: CouplingRule = {
  keys: 'disk_size disk_size_gb boot_disk_size boot_disk_size_gb local_disk',
  read(site) {
    const text = (textOf(site.value) ?? '').replace(/^(nvme|ssd):/, '')
    const gib = sizeIn(text) ?? countIn(text)
    return gib === undefined ? [] : [atKey(site, inOtherWords('disk', `disk: ${gib}Gi`))]
  },
}

const diskTier: CouplingRule = {
  keys: 'disk_tier disk_type volume_type boot_disk_type',
  read(site) {
    if (textOf(site.value) === undefined) return []
    const gib = numberOf(valueIn(site.parent, 'disk_size'))
    const lines = [`disk: ${gib === undefined ? 'SIZE' : `${gib}Gi`}`]
    return [atKey(site, { does: "names one provider's kind of disk", lines })]
  },
}

const networkTier: CouplingRule = {
  keys: 'network_tier',
  read(site) {
    if (textOf(site.value) !== 'best') return []
    return [atKey(site, { does: "asks for a provider's best network", lines: ['topology: { within: rack }'] })]
  },
}

const imageId: CouplingRule = {
  keys: 'image_id ami ami_id machine_image source_image boot_image vm_image source_machine_image',
  read(site) {
    const text = textOf(site.value)
    if (text === undefined && site.value.kind === 'scalar') return []
    const [, container] = /^docker:(.+)$/.exec(text ?? '') ?? []
    if (container !== undefined) return [atKey(site, inOtherWords('a container', `image: ${asScalar(container)}`))]
    return [atKey(site, { does: "names one provider's machine image", lines: ['image: REGISTRY/NAME:TAG'] })]
  },
}

const infra: CouplingRule = {
  keys: 'infra',
  read(site) {
    const texts = textsIn(site.value)
    return texts.length === 0 ? [] : [atKey(site, saidOfInfra(texts))]
  },
}

/** Alternative sets of resources: what they have in common is what is needed. */
const choices: CouplingRule = {
  keys: 'any_of ordered',
  read(site) {
    const items = itemsIn(site).map(({ node }) => node)
    const said = site.value.kind === 'list' ? saidOfChoices(items.filter((item) => item.kind === 'map')) : undefined
    return said === undefined ? [] : [atKey(site, said)]
  },
}

const numNodes: CouplingRule = {
  keys: 'num_nodes',
  read(site) {
    const nodes = numberOf(site.value)
    return nodes === undefined ? [] : [atKey(site, inOtherWords('machines', `nodes: ${nodes}`))]
  },
}

const recovery: CouplingRule = {
  keys: 'job_recovery spot_recovery',
  read: (site) => [
    atKey(site, {
      does: 'sets how one tool moves work between regions',
      lead: IN_A_MANIFEST,
      lines: ['migration: { on: [outage] }'],
    }),
  ],
}

const spotReplicas: CouplingRule = {
  keys: 'dynamic_ondemand_fallback base_ondemand_fallback_replicas spot_placer',
  read: (site) => (textOf(site.value) === undefined ? [] : [atKey(site, saidOfSpot('allowed'))]),
}

const SCHEMES: ReadonlyMap<string, string> = new Map([
  ['s3', 's3'],
  ['gcs', 'gs'],
  ['azure', 'az'],
  ['r2', 'r2'],
  ['oci', 'oci'],
  ['nebius', 's3'],
  ['coreweave', 's3'],
])

const store: CouplingRule = {
  keys: 'store',
  read(site) {
    const scheme = SCHEMES.get((textOf(site.value) ?? '').toLowerCase())
    if (scheme === undefined) return []
    const mount = String(site.path.at(-2) ?? '/data')
    const bucket = asScalar(textOf(valueIn(site.parent, 'name')) ?? 'BUCKET')
    const lines = [`storage: [{ mount: ${asScalar(mount)}, from: ${scheme}://${bucket} }]`]
    return [atKey(site, { does: "names one provider's object store", lead: IN_A_MANIFEST, lines })]
  },
}

/** SkyPilot tasks. */
export const SKYPILOT_RULES: readonly CouplingRule[] = [
  accelerators,
  acceleratorArgs,
  cpus,
  diskSize,
  diskTier,
  networkTier,
  imageId,
  infra,
  choices,
  numNodes,
  recovery,
  spotReplicas,
  store,
]

/** `H100:8`, `[H100:8, A100:8]`, `{ H100: 8, A100: 8 }` */
function acceleratorsIn(node: DocNode | undefined): readonly string[] {
  if (node?.kind !== 'map') return textsIn(node)
  return node.entries.map(({ key, value }) => [key, ...textsIn(value)].join(':'))
}

function inOtherWords(what: string, line: string): Said {
  return { does: `asks for ${what} in another tool's words`, lead: IN_A_MANIFEST, lines: [line] }
}

/** `aws/us-east-1/us-east-1a`; `*` leaves a part open. */
function saidOfInfra(texts: readonly string[]): Said {
  const policy = placesIn(texts)
  return { does: texts.length === 1 ? 'names one place to run' : `names ${texts.length} places to run`, policy }
}

/** Backends that are not clouds: the part after the slash is the name of a cluster, not of a region. */
const ENGINES = ['kubernetes', 'slurm', 'ssh']

/** A part counts only where every place names it; otherwise it restricts nothing. */
function placesIn(texts: readonly string[]): ForeignPolicy {
  const places = texts.map(readPlace)
  const clouds = places.flatMap(({ cloud }) => cloud ?? [])
  const regions = places.flatMap(({ region }) => region ?? [])
  return {
    ...(clouds.length < texts.length ? {} : { allow: unique(clouds) }),
    ...(regions.length < texts.length ? {} : { residency: areasOf(regions) }),
  }
}

function readPlace(text: string): { readonly cloud: string | undefined; readonly region: string | undefined } {
  const [first = '*', second = '*'] = text.split('/').map((part) => part.trim())
  const region = second === '*' || second === '' ? undefined : second
  if (first === '*' || first === '') return { cloud: undefined, region }
  const cloud = providerNamed(first) ?? asScalar(first)
  if (!ENGINES.includes(cloud)) return { cloud, region }
  return { cloud: region === undefined ? cloud : asScalar(region), region: undefined }
}

/** Where only some choices ask for cards, they have no card in common, and each is reported separately. */
function saidOfChoices(items: readonly DocNode[]): Said | undefined {
  const requests = items
    .map((item) => acceleratorsIn(valueIn(item, 'accelerators')))
    .filter((texts) => texts.length > 0)
  if (items.length === 0 || (requests.length > 0 && requests.length < items.length)) return undefined
  const policy = policyFor(items)
  const asks: { gpu?: ForeignGpu; policy?: ForeignPolicy } = {
    ...(requests.length === 0 ? {} : { gpu: weakest(requests.map(readAlternatives)) }),
    ...(Object.keys(policy).length === 0 ? {} : { policy }),
  }
  if (Object.keys(asks).length === 0) return undefined
  return { does: `offers a choice of ${items.length}`, lead: 'what they have in common is', ...asks }
}

function policyFor(items: readonly DocNode[]): ForeignPolicy {
  const places = placesIn(items.map((item) => textOf(valueIn(item, 'infra')) ?? placeOf(item)))
  const terms = items.flatMap((item) => spotTerms(textOf(valueIn(item, 'use_spot')) ?? '') ?? [])
  const [term] = unique(terms)
  if (term === undefined) return places
  return { ...places, spot: terms.length === items.length && unique(terms).length === 1 ? term : 'allowed' }
}

function placeOf(item: DocNode): string {
  return `${textOf(valueIn(item, 'cloud')) ?? '*'}/${textOf(valueIn(item, 'region')) ?? '*'}`
}
