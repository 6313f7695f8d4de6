import { countIn, readAlternatives, readCards, saidOfCards, sizeIn } from './card.ts'
import { meantBy } from './hint.ts'
import { SAY_NEEDS } from './labels.ts'
import { IN_A_MANIFEST, asScalar, atKey, atValue, sitesIn, textOf, textsIn, unique, valueIn } from './rule.ts'
import type { CouplingFinding, ForeignGpu, CouplingRule, Said, KeySite } from './rule.ts'

/** `gpu: H100:8`, `gpu: [H100, A100]`, `gpu: { name: H100, memory: 80GB.. }`. Berth has the same key. */
const gpu: CouplingRule = {
  keys: 'gpu',
  deep: true,
  read(site) {
    if (site.value.kind === 'map') return sitesIn(site.value, site).flatMap(readField)
    const texts = textsIn(site.value).filter((text) => text !== 'false' && text !== '0')
    return texts.length === 0 ? [] : [atValue(site, saidOfCards(readAlternatives(texts)))]
  },
}

/** Amounts as ranges: `8..16`, `64GB..`, `16+`. A plain amount is valid in Berth. */
const ranges: CouplingRule = {
  keys: 'cpu memory disk',
  read(site) {
    if (site.path.at(-2) === 'gpu') return []
    const text = textOf(site.value) ?? textOf(valueIn(site.value, 'size')) ?? ''
    if (!/^(?:(?:x86|arm):)?\d+(?:\.\d+)?\s*(?:[GMT]i?B?)?(?:\+|\.\..*)$/i.test(text)) return []
    const amount = text.replace(/^(x86|arm):/, '')
    const gib = sizeIn(amount) ?? countIn(amount)
    const line = site.key === 'cpu' ? `cpu: ${countIn(amount)}` : `${site.key}: ${gib}Gi`
    return [atValue(site, { does: `asks for ${site.key} as a range`, lead: IN_A_MANIFEST, lines: [line] })]
  },
}

const pools: CouplingRule = {
  keys: `fleet fleets node_pool node_pools node_class node_classes node_group node_groups agent_pool resource_pool
    compute_pool compute_target reservation reservation_id capacity_reservation_id capacity_reservation`,
  read: (site) =>
    textsIn(site.value).length === 0 ? [] : [atKey(site, { does: 'picks one pool of machines', advice: SAY_NEEDS })],
}

const instancePath: CouplingRule = {
  keys: 'instance_path',
  read(site) {
    if (textOf(site.value) === undefined) return []
    const mount = asScalar(textOf(valueIn(site.parent, 'path')) ?? '/data')
    const lines = [`storage: [{ mount: ${mount}, size: SIZE }]`]
    return [atKey(site, { does: 'uses a folder on one machine', lines })]
  },
}

const placement: CouplingRule = {
  keys: 'placement',
  read: (site) =>
    textOf(site.value) === 'cluster'
      ? [atKey(site, { does: "asks for one provider's cluster placement", lines: ['topology: { within: rack }'] })]
      : [],
}

/** dstack runs and fleets, and the short form for cards that Modal uses too. */
export const DSTACK_RULES: readonly CouplingRule[] = [gpu, ranges, pools, instancePath, placement]

/** A key inside `gpu:` that Berth does not have, or one of Berth's keys with a foreign value. */
function readField(site: KeySite): readonly CouplingFinding[] {
  const texts = textsIn(site.value)
  if (texts.length === 0) return []
  switch (site.key) {
    case 'name':
    case 'names':
    case 'type':
    case 'model':
    case 'product':
      return [atKey(site, saidOfName(readAlternatives(texts), site))]
    case 'memory':
    case 'ram':
      return sized(site, sizeIn(texts[0] ?? '') ?? countIn(texts[0] ?? ''))
    case 'total_memory':
      return sized(site, shared(sizeIn(texts[0] ?? ''), site))
    case 'compute_capability':
      return [
        atKey(site, {
          does: 'asks for a compute capability',
          lead: IN_A_MANIFEST,
          gpu: { minCapability: texts[0] ?? '' },
        }),
      ]
    case 'count':
      return /^\d+(\+|\.\.\d*)$/.test(texts[0] ?? '') ? [atValue(site, saidOfCards(readCards(texts[0] ?? '')))] : []
  }
  return []
}

/** Where the memory is stated next to the name, the name only identifies the cards. */
function saidOfName(request: ForeignGpu, site: KeySite): Said {
  const count = countIn(textOf(valueIn(site.parent, 'count')) ?? '')
  const counted = count === undefined ? request : { ...request, count }
  const minVramGib = sizeIn(textOf(valueIn(site.parent, 'memory')) ?? '')
  if (minVramGib === undefined) return saidOfCards(counted)
  const narrowed = { ...counted, minVramGib }
  const arch = unique(meantBy(narrowed).map((model) => model.arch))
  return { ...saidOfCards(narrowed), gpu: { arch } }
}

function sized(site: KeySite, gib: number | undefined): readonly CouplingFinding[] {
  if (gib === undefined) return []
  const does = "asks for a card's memory in another tool's words"
  return [atKey(site, { does, lead: IN_A_MANIFEST, gpu: { minVramGib: gib } })]
}

/** Converts the memory of all cards together to the memory of each. */
function shared(gib: number | undefined, site: KeySite): number | undefined {
  const count = countIn(textOf(valueIn(site.parent, 'count')) ?? '') ?? 1
  return gib === undefined ? undefined : Math.ceil(gib / Math.max(count, 1))
}
