import type { DocMap, DocNode, Path } from '../../document/document.ts'
import { nodeAt, printable } from '../../document/look-up.ts'
import { cardNamed, saidOfCards, sizeIn } from './card.ts'
import { saidOfCount } from './hardware.ts'
import { SAY_NEEDS, saidOfNodeLabel } from './labels.ts'
import type { Labelled } from './labels.ts'
import { saidOfSpot } from './places.ts'
import {
  IN_A_MANIFEST,
  asScalar,
  atKey,
  atValue,
  itemsIn,
  numberOf,
  plainKey,
  sitesIn,
  textOf,
  textsIn,
  valueIn,
} from './rule.ts'
import type { CouplingFinding, CouplingRule, Said, KeySite } from './rule.ts'

const TOLERATED: Said = {
  does: "tolerates one cluster's taint",
  advice: 'Remove it. Berth tolerates the taints of the nodes that it chooses.',
}

const nodeSelector: CouplingRule = {
  keys: 'node_selector node_selectors node_labels',
  read(site) {
    return sitesIn(site.value, site).map((label) => {
      const labelled: Labelled = { name: label.key, values: valuesOf(label), bound: 'is' }
      return atKey(label, saidOfNodeLabel(labelled))
    })
  },
}

/** Expressions about node labels, at any depth. */
const nodeAffinity: CouplingRule = {
  keys: 'node_affinity',
  read: (site) => expressionsIn(site.value, site.path).flatMap((item) => readExpression(item, site)),
}

/** Node pools use the same kind of expressions in a separate list. */
const requirements: CouplingRule = {
  keys: 'requirements',
  read(site) {
    const items = itemsIn(site).filter(({ node }) => valueIn(node, 'operator') !== undefined)
    return items.flatMap((item) => readExpression(item, site))
  },
}

const podAntiAffinity: CouplingRule = {
  keys: 'pod_anti_affinity topology_spread_constraints',
  read: (site) =>
    site.value.kind === 'scalar'
      ? []
      : [
          atKey(site, {
            does: "spreads copies over one cluster's nodes or zones",
            lines: [`spread: ${levelIn(site.value)}`],
          }),
        ],
}

const podAffinity: CouplingRule = {
  keys: 'pod_affinity',
  read: (site) =>
    site.value.kind === 'scalar'
      ? []
      : [atKey(site, { does: "keeps work together on one cluster's nodes", lines: ['topology: { within: zone }'] })],
}

const tolerations: CouplingRule = {
  keys: 'tolerations',
  read: (site) =>
    itemsIn(site).map(({ node, path }) => {
      const [key] = sitesIn(node, { path, document: site.document }).filter((inside) => inside.key === 'key')
      if (key !== undefined) return atValue(key, saidOfTaint(textOf(key.value) ?? ''))
      const text = node.kind === 'scalar' ? node.text : site.key
      return { ...saidOfTaint(text), at: node.at, path, found: printable(text) }
    }),
}

/** Keys that name a part of one cluster, with what to do about them. */
const PARTS: readonly (readonly [keys: string, said: Said])[] = [
  ['node_name', { does: 'pins the work to one machine', advice: SAY_NEEDS }],
  [
    'scheduler_name',
    { does: "names one cluster's scheduler", advice: 'Remove it. The chosen provider has its own scheduler.' },
  ],
  [
    'runtime_class_name runtime_class',
    {
      does: "names one cluster's container runtime",
      advice: 'Remove it. A workload that asks for a gpu gets the right runtime.',
    },
  ],
  [
    'priority_class_name',
    {
      does: "names one cluster's priority",
      lead: 'the platform decides which work goes first',
      lines: ['policy: NAME  # one that the platform team maintains for this kind of work'],
    },
  ],
]

const parts: readonly CouplingRule[] = PARTS.map(([keys, said]) => ({
  keys,
  read: (site: KeySite) => (textOf(site.value) === undefined ? [] : [atKey(site, said)]),
}))

/** Volumes that exist only at one provider, in one cluster or on one machine. */
const VOLUMES: readonly (readonly [keys: string, does: string])[] = [
  [
    'aws_elastic_block_store gce_persistent_disk azure_disk azure_file cinder vsphere_volume portworx_volume',
    "uses one provider's disk",
  ],
  ['persistent_volume_claim', "uses one cluster's volume"],
  ['host_path', 'uses a folder on one machine'],
]

const volumes: readonly CouplingRule[] = VOLUMES.map(([keys, does]) => ({
  keys,
  read: (site: KeySite) =>
    site.value.kind === 'map'
      ? [atKey(site, { does, lines: [`storage: [{ mount: ${mountOf(site)}, from: s3://BUCKET/PATH }]`] })]
      : [],
}))

const cloudDrivers: CouplingRule = {
  keys: 'csi',
  read(site) {
    const driver = textOf(valueIn(site.value, 'driver')) ?? ''
    if (!/(csi\.aws\.com|gke\.io|csi\.azure\.com|googleapis|digitalocean|linode|oraclecloud)/.test(driver)) return []
    const lines = [`storage: [{ mount: ${mountOf(site)}, from: s3://BUCKET/PATH }]`]
    return [atKey(site, { does: "uses one provider's storage", lines })]
  },
}

const storageClass: CouplingRule = {
  keys: 'storage_class_name storage_class',
  read(site) {
    if (textOf(site.value) === undefined) return []
    const asked = valueIn(valueIn(valueIn(site.parent, 'resources'), 'requests'), 'storage')
    const size = asScalar(textOf(asked) ?? 'SIZE')
    return [
      atKey(site, {
        does: "names one cluster's kind of storage",
        lines: [`storage: [{ mount: /data, size: ${size} }]`],
      }),
    ]
  },
}

/** Dynamic resource allocation: a device class, and expressions about a device. */
const deviceClass: CouplingRule = {
  keys: 'device_class_name',
  read(site) {
    const text = textOf(site.value) ?? ''
    const count = numberOf(valueIn(site.parent, 'count')) ?? 1
    if (/^gpu\.(nvidia|amd)\.com$/.test(text)) return [atKey(site, saidOfCount(count))]
    if (text !== 'mig.nvidia.com') return []
    return [atKey(site, { does: 'asks for a slice of a card', lead: IN_A_MANIFEST, gpu: { count, sharing: 'mig' } })]
  },
}

const deviceExpression: CouplingRule = {
  keys: 'expression',
  read(site) {
    const text = textOf(site.value) ?? ''
    const [, product] = /productName[^'"]*['"]([^'"]+)['"]/.exec(text) ?? []
    if (product !== undefined) return [atKey(site, saidOfCards({ cards: [cardNamed(product)] }))]
    const [, quantity = ''] = /memory[^'"]*['"](\d+[GM]i)['"]/.exec(text) ?? []
    const minVramGib = sizeIn(quantity)
    if (minVramGib === undefined) return []
    return [
      atKey(site, { does: "asks for a card's memory in a cluster's words", lead: IN_A_MANIFEST, gpu: { minVramGib } }),
    ]
  },
}

/** Kubernetes and what runs on it: selectors, affinities, tolerations, volumes, device classes. */
export const KUBERNETES_RULES: readonly CouplingRule[] = [
  nodeSelector,
  nodeAffinity,
  requirements,
  podAntiAffinity,
  podAffinity,
  tolerations,
  ...parts,
  ...volumes,
  cloudDrivers,
  storageClass,
  deviceClass,
  deviceExpression,
]

/** A compute capability is split into two labels. */
function valuesOf(label: KeySite): readonly string[] {
  if (!label.key.startsWith('nvidia.com/gpu.compute.')) return textsIn(label.value)
  const halves = ['major', 'minor'].map((half) => textOf(valueIn(label.parent, `nvidia.com/gpu.compute.${half}`)))
  return halves.every((half) => half !== undefined) ? [halves.join('.')] : textsIn(label.value)
}

interface Item {
  readonly node: DocNode
  readonly path: Path
}

/** All items of `matchExpressions` and `matchFields` below a node. Depth is bounded by the reader of the text. */
function expressionsIn(node: DocNode, path: Path): readonly Item[] {
  if (node.kind === 'scalar') return []
  if (node.kind === 'list') return node.items.flatMap((item, index) => expressionsIn(item, [...path, index]))
  return node.entries.flatMap(({ key, value }) => {
    const inside = [...path, key]
    if (value.kind !== 'list' || !/^match(expressions|fields)$/.test(plainKey(key))) return expressionsIn(value, inside)
    return value.items.map((item, index) => ({ node: item, path: [...inside, index] }))
  })
}

const BOUNDS: ReadonlyMap<string, Labelled['bound']> = new Map([
  ['In', 'is'],
  ['NotIn', 'not'],
  ['Exists', 'there'],
  ['DoesNotExist', 'not'],
  ['Gt', 'above'],
  ['Lt', 'below'],
])

/** `{ key: nvidia.com/gpu.memory, operator: Gt, values: ["40000"] }` */
function readExpression({ node, path }: Item, { document }: KeySite): readonly CouplingFinding[] {
  const [key] = sitesIn(node, { path, document }).filter((site) => site.key === 'key')
  const name = textOf(key?.value)
  if (key === undefined || name === undefined) return []
  const bound = BOUNDS.get(textOf(valueIn(node, 'operator')) ?? 'In') ?? 'is'
  return [atValue(key, saidOfNodeLabel({ name, values: textsIn(valueIn(node, 'values')), bound }))]
}

/** Work that tolerates the taint of spot nodes may run there, but need not. */
function saidOfTaint(key: string): Said {
  return /spot|preempt|scalesetpriority|capacity-?type/i.test(key) ? saidOfSpot('allowed') : TOLERATED
}

/** The widest level that replicas are spread over; Berth spreads over zones at least. */
function levelIn(node: DocNode): 'region' | 'zone' {
  return JSON.stringify(node).includes('kubernetes.io/region') ? 'region' : 'zone'
}

/** Where the containers next to a volume mount it. */
function mountOf(site: KeySite): string {
  const name = textOf(valueIn(site.parent, 'name'))
  const list = site.path.findLastIndex((step) => step === 'volumes')
  const pod = list < 0 ? undefined : nodeAt(site.document, site.path.slice(0, list))
  const containers = valueIn(pod, 'containers')
  const mounts = mapsIn(containers).flatMap((container) => mapsIn(valueIn(container, 'volume_mounts')))
  const mount = mounts.find((candidate) => textOf(valueIn(candidate, 'name')) === name)
  return asScalar(textOf(valueIn(mount, 'mount_path')) ?? '/data')
}

function mapsIn(node: DocNode | undefined): readonly DocMap[] {
  return node?.kind === 'list' ? node.items.filter((item) => item.kind === 'map') : []
}
