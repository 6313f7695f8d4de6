import { saidOfCount } from './hardware.ts'
import { ONE_CLUSTERS_LABEL, saidOfWord } from './labels.ts'
import { atKey, itemsIn, numberOf, sitesIn, textOf, textsIn, valueIn } from './rule.ts'
import { printable } from '../../document/look-up.ts'
import type { DocNode, Path } from '../../document/document.ts'
import type { CouplingFinding, ForeignGpu, CouplingRule, Said, KeySite } from './rule.ts'

/** `deploy.resources.reservations.devices`, and device files that are passed through one by one. */
const devices: CouplingRule = {
  keys: 'devices',
  read(site) {
    if (site.value.kind !== 'list') return []
    const files = textsIn(site.value).filter((text) => text.startsWith('/dev/nvidia'))
    const cards = files.filter((text) => /^\/dev\/nvidia\d+/.test(text))
    if (files.length > 0) return [atKey(site, { ...PINNED, gpu: { count: Math.max(cards.length, 1) } })]
    return itemsIn(site).flatMap((item) => readDevice(item, site))
  },
}

const PINNED: Said = { does: 'pins cards of one machine', lead: 'state how many you need' }

const runtime: CouplingRule = {
  keys: 'runtime',
  read: (site) =>
    textOf(site.value) === 'nvidia'
      ? [
          atKey(site, {
            does: "names one machine's container runtime",
            advice: 'Remove it. A workload that asks for a gpu gets the right runtime.',
          }),
        ]
      : [],
}

const genericResource: CouplingRule = {
  keys: 'discrete_resource_spec named_resource_spec',
  read(site) {
    if (!/gpu/i.test(textOf(valueIn(site.value, 'kind')) ?? '')) return []
    return [atKey(site, saidOfCount(numberOf(valueIn(site.value, 'value')) ?? 1))]
  },
}

/** `placement: { constraints: ["node.labels.gpu == a100"] }` */
const placement: CouplingRule = {
  keys: 'constraints',
  read: (site) => itemsIn(site).flatMap(readPlacement),
}

/** Docker compose and swarm. */
export const COMPOSE_RULES: readonly CouplingRule[] = [devices, runtime, genericResource, placement]

interface Item {
  readonly node: DocNode
  readonly path: Path
}

function readDevice({ node, path }: Item, { document }: KeySite): readonly CouplingFinding[] {
  const capabilities = textsIn(valueIn(node, 'capabilities'))
  const driver = textOf(valueIn(node, 'driver'))
  if (driver !== 'nvidia' && driver !== 'amd' && !capabilities.includes('gpu')) return []
  const sites = sitesIn(node, { path, document })
  const pinned = sites.find((site) => site.key === 'device_ids')
  if (pinned !== undefined) return [atKey(pinned, { ...PINNED, gpu: { count: textsIn(pinned.value).length } })]
  const counted = sites.find((site) => site.key === 'count') ?? sites[0]
  if (counted === undefined) return []
  const count = counted.key === 'count' ? (numberOf(counted.value) ?? 1) : 1
  const gpu: ForeignGpu = driver === 'amd' ? { count, vendor: driver } : { count }
  return [atKey(counted, { ...saidOfCount(count), gpu })]
}

function readPlacement({ node, path }: Item): readonly CouplingFinding[] {
  const text = textOf(node) ?? ''
  const [, name, operator, value = ''] = /^(node\.[\w.-]+|engine\.labels\.[\w.-]+)\s*(==|!=)\s*(.+)$/.exec(text) ?? []
  if (name === undefined || /^node\.(role|platform)/.test(name)) return []
  const word = /hostname|id$/.test(name) ? 'host' : 'pool'
  const said = saidOfWord(word, { name, values: [value], bound: operator === '==' ? 'is' : 'not' })
  return [{ ...(word === 'pool' ? ONE_CLUSTERS_LABEL : said), at: node.at, path, found: printable(text) }]
}
