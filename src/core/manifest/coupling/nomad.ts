import { cardNamed, saidOfCards, sizeIn } from './card.ts'
import { saidOfCount } from './hardware.ts'
import { saidOfWord } from './labels.ts'
import type { Labelled } from './labels.ts'
import type { LabelWord } from './labels-table.ts'
import { atKey, atValue, itemsIn, numberOf, plainKey, sitesIn, textOf, valueIn } from './rule.ts'
import type { CouplingFinding, ForeignGpu, CouplingRule, Said, KeySite } from './rule.ts'

/** Attributes that say where or on what to run. Others (`attr.kernel.name`) tie the job to no provider. */
const ATTRIBUTES: readonly (readonly [RegExp, LabelWord])[] = [
  [/^node\.(datacenter|region)$/, 'region'],
  [/^node\.(class|pool)$|^meta\./, 'pool'],
  [/^node\.unique\.|^attr\.unique\./, 'host'],
  [/^attr\.platform\.\w+\.(instance-type|machine-type|vm-size)$/, 'machine'],
  [/^attr\.platform\.\w+\.(placement\.availability-zone|zone)$/, 'zone'],
  [/^attr\.cpu\.arch$/, 'hostArch'],
  [/^device\.model$/, 'card'],
  [/^device\.vendor$/, 'anyGpu'],
  [/^device\.attr\.driver_version$/, 'driver'],
]

const BOUNDS: ReadonlyMap<string, Labelled['bound']> = new Map([
  ['>', 'above'],
  ['<', 'below'],
  ['<=', 'below'],
  ['!=', 'not'],
  ['distinct_hosts', 'there'],
])

/** Devices under their names (`device: { nvidia/gpu: {...} }`) or as a list with names. */
const devices: CouplingRule = {
  keys: 'device devices',
  deep: true,
  read: (site) =>
    itemsIn(site).flatMap(({ node, path }) =>
      sitesIn(node, { path, document: site.document }).flatMap((inside) => {
        const named = plainKey(inside.key) === 'name' ? textOf(inside.value) : undefined
        if (named !== undefined && isDevice(named)) return [atValue(inside, saidOfDevice(named, countIn(node)))]
        return isDevice(inside.key) ? [atKey(inside, saidOfDevice(inside.key, countIn(inside.value)))] : []
      }),
    ),
}

const constraints: CouplingRule = {
  keys: 'constraint constraints affinity affinities',
  read: (site) =>
    itemsIn(site).flatMap(({ node, path }) =>
      sitesIn(node, { path, document: site.document })
        .filter((inside) => /^(attribute|ltarget)$/.test(plainKey(inside.key)))
        .flatMap((inside) => readConstraint(inside)),
    ),
}

/** Berth has the same key, but without attributes. */
const spread: CouplingRule = {
  keys: 'spread spreads',
  read(site) {
    const [first] = itemsIn(site)
    if (valueIn(first?.node, 'attribute') === undefined) return []
    return [atKey(site, { does: "spreads copies over one cluster's nodes or zones", lines: ['spread: zone'] })]
  },
}

/** Nomad jobs, as HCL or as the API's JSON. */
export const NOMAD_RULES: readonly CouplingRule[] = [devices, constraints, spread]

function isDevice(name: string): boolean {
  return /^((nvidia|amd|intel)\/)?gpu(\/.+)?$/.test(name)
}

function countIn(device: Parameters<typeof valueIn>[0]): number {
  return numberOf(valueIn(device, 'count')) ?? 1
}

/** `nvidia/gpu/A100-SXM4-80GB`: vendor, kind, model. */
function saidOfDevice(name: string, count: number): Said {
  const [, kind, ...model] = name.split('/')
  if (kind === undefined || model.length === 0) return saidOfCount(count)
  const gpu: ForeignGpu = { count, cards: [cardNamed(model.join('/'))] }
  return saidOfCards(gpu)
}

function readConstraint(site: KeySite): readonly CouplingFinding[] {
  const attribute = (textOf(site.value) ?? '').replace(/^\$\{(.*)\}$/, '$1')
  const value = textOf(valueIn(site.parent, 'value rtarget'))
  const bound = BOUNDS.get(textOf(valueIn(site.parent, 'operator operand')) ?? '=') ?? 'is'
  if (attribute === 'device.attr.memory') return readMemory(site, value ?? '')
  const [, word] = ATTRIBUTES.find(([pattern]) => pattern.test(attribute)) ?? []
  if (word === undefined) return []
  const values = value === undefined ? [] : value.split(',').map((part) => part.trim())
  return [atValue(site, saidOfWord(word, { name: attribute, values, bound }))]
}

function readMemory(site: KeySite, value: string): readonly CouplingFinding[] {
  const minVramGib = sizeIn(value)
  if (minVramGib === undefined) return []
  const said = saidOfWord('gb', { name: site.key, values: [String(Math.ceil(minVramGib))], bound: 'is' })
  return [atValue(site, said)]
}
