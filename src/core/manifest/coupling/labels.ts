import { ARCH_SYNONYMS } from '../../hardware/arch.ts'
import { readAlternatives, saidOfCards } from './card.ts'
import { saidOfCount, saidOfMachines } from './hardware.ts'
import { LABELS, OWNED_PREFIXES } from './labels-table.ts'
import type { LabelWord } from './labels-table.ts'
import { saidOfRegions, saidOfSpot, saidOfZones, spotTerms } from './places.ts'
import { IN_A_MANIFEST, atKey, textsIn, wordsOf } from './rule.ts'
import type { CouplingFinding, ForeignGpu, Said, KeySite } from './rule.ts'

/** A label, annotation, taint or extended resource, and what it is compared with. */
export interface Labelled {
  readonly name: string
  readonly values: readonly string[]
  /** `is` any of the values, `above` or `below` the first, `not` any of them, or just `there`. */
  readonly bound: 'is' | 'above' | 'below' | 'not' | 'there'
}

/** For requirements that a manifest cannot express. */
export const SAY_NEEDS = 'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.'

/** A key that Kubernetes users know as a label, annotation or extended resource, with its value. */
export function readLabel(site: KeySite): readonly CouplingFinding[] {
  if (site.value.kind === 'map') return []
  const said = saidOfLabel({ name: site.key, values: textsIn(site.value), bound: 'is' })
  return said === undefined ? [] : [atKey(site, said)]
}

/** What a comparison with a label says; undefined when the label belongs to no provider or cluster. */
function saidOfLabel(labelled: Labelled): Said | undefined {
  const word = wordFor(labelled.name)
  if (word === undefined) return isOwned(labelled.name) ? OWNED : undefined
  return saidOfWord(word, labelled)
}

/** The same for labels and attributes whose meaning is known. */
export function saidOfWord(word: LabelWord, labelled: Labelled): Said {
  return labelled.bound === 'not' ? UNWANTED : READERS[word](labelled)
}

/** The same for a label that selects nodes, which always belongs to a cluster. */
export function saidOfNodeLabel(labelled: Labelled): Said {
  const said = saidOfLabel(labelled)
  if (said !== undefined) return said
  if (!/gpu|accelerator|card/i.test(labelled.name) || labelled.bound !== 'is') return ONE_CLUSTERS_LABEL
  const request = readAlternatives(labelled.values)
  const named = request.cards?.every((card) => card.candidates.length > 0) ?? false
  return named ? saidOfCards(request) : ONE_CLUSTERS_LABEL
}

/** A label that only one cluster has. */
export const ONE_CLUSTERS_LABEL: Said = { does: 'picks nodes by a label of one cluster', advice: SAY_NEEDS }

const OWNED: Said = {
  does: "is a setting of one provider's clusters",
  advice: 'Remove it. Berth configures the chosen provider, and other providers would not understand this setting.',
}

const UNWANTED: Said = { does: 'rules machines out by a label', advice: SAY_NEEDS }

const READERS: Readonly<Record<LabelWord, (labelled: Labelled) => Said>> = {
  card: ({ values }) => saidOfCards(readAlternatives(values)),
  count: (labelled) => saidOfCount(leastOf(labelled) ?? 1),
  anyGpu: () => ({ does: "asks for a machine with cards in a cluster's words", gpu: { count: 1 } }),
  mig: ({ name, values }) => saidOfSlice(name, values),
  shared: () => ({ does: 'asks for part of a card', gpu: { sharing: 'any' } }),
  amd: (labelled) => saidOfResource(labelled, { vendor: 'amd' }),
  gaudi: (labelled) => saidOfResource(labelled, { arch: ['gaudi2', 'gaudi3'] }),
  tpu: (labelled) => saidOfResource(labelled, { arch: ['tpu'] }),
  neuron: (labelled) => saidOfResource(labelled, { arch: ['neuron'] }),
  neuronCores: (labelled) => saidOfResource({ ...labelled, values: [] }, { arch: ['neuron'] }),
  tpuTopology: ({ values }) => saidOfCount(chipsIn(values[0] ?? '')),
  usableMib: (labelled) => saidOfSize(labelled, (mib) => ({ minUsableMib: mib })),
  mib: (labelled) => saidOfSize(labelled, (mib) => ({ minVramGib: Math.ceil(mib / 1024) })),
  gb: (labelled) => saidOfSize(labelled, (gb) => ({ minVramGib: gb })),
  shareMib: (labelled) => saidOfSize(labelled, (mib) => ({ minVramGib: Math.ceil(mib / 1024), sharing: 'any' })),
  arch: ({ values }) => inOtherWords("names an architecture in a cluster's words", { arch: values.map(archNamed) }),
  capability: (labelled) => saidOfCapability(labelled),
  driver: (labelled) =>
    inOtherWords("asks for a driver in a cluster's words", { minDriver: `${leastOf(labelled) ?? 0}` }),
  cuda: (labelled) => inOtherWords("asks for CUDA in a cluster's words", { minCuda: `${leastOf(labelled) ?? 0}.0` }),
  nvlinkDomain: () => ({
    does: 'picks nodes that share an NVLink domain',
    lines: ['topology: { within: nvlink_domain }'],
  }),
  machine: ({ values }) => (values.length === 0 ? ONE_CLUSTERS_LABEL : saidOfMachines(values)),
  cpus: (labelled) => ({
    does: "asks for CPUs in a cluster's words",
    lead: IN_A_MANIFEST,
    lines: [`cpu: ${leastOf(labelled)}`],
  }),
  memoryMib: (labelled) => {
    const gib = Math.ceil((leastOf(labelled) ?? 0) / 1024)
    return { does: "asks for memory in a cluster's words", lead: IN_A_MANIFEST, lines: [`memory: ${gib}Gi`] }
  },
  region: ({ values }) => saidOfRegions(values),
  zone: ({ values }) => saidOfZones(values),
  spot: ({ values }) => saidOfSpot(spotTerms(values[0] ?? 'spot') ?? 'allowed'),
  pool: () => ({ does: "picks one cluster's pool of nodes", advice: SAY_NEEDS }),
  host: () => ({ does: 'pins the work to single machines', advice: SAY_NEEDS }),
  hostArch: ({ values }) => ({
    does: "asks for an instruction set in a cluster's words",
    lead: IN_A_MANIFEST,
    lines: [`host_arch: ${/arm|aarch/.test(values[0] ?? '') ? 'arm64' : 'amd64'}`],
  }),
  queue: () => ({
    does: "names one cluster's queue",
    lead: 'the platform decides which work goes first',
    lines: ['policy: NAME  # one that the platform team maintains for this kind of work'],
  }),
  together: ({ values }) => ({
    does: "names a level of one cluster's network",
    lines: [`topology: { within: ${levelOf(values[0] ?? '')} }`],
  }),
  keepRunning: () => ({
    does: "tells one cluster's autoscaler to leave the work alone",
    lines: ['restart: { class: training }'],
  }),
  entrance: () => ({
    does: "sets up one provider's load balancer",
    lead: 'a service has its own address',
    lines: ['ports: [{ name: http, port: PORT, health: /health }]'],
  }),
  identity: () => ({
    does: 'names an identity at one provider',
    lead: 'list credentials as secrets, by name',
    lines: ['secrets: [NAME]'],
  }),
}

const EXACT: ReadonlyMap<string, LabelWord> = new Map(LABELS.flatMap(([word, names]) => pairs(word, names)))

function pairs(word: LabelWord, names: string): readonly (readonly [string, LabelWord])[] {
  return wordsOf(names).map((name) => [name, word] as const)
}

function wordFor(name: string): LabelWord | undefined {
  return name.startsWith('nvidia.com/mig-') ? 'mig' : EXACT.get(name)
}

function isOwned(name: string): boolean {
  return OWNED_PREFIXES.some((prefix) => name.startsWith(prefix))
}

function inOtherWords(does: string, gpu: ForeignGpu): Said {
  return { does, lead: IN_A_MANIFEST, gpu }
}

/** The smallest whole number that passes; undefined when there is none. */
function leastOf({ values, bound }: Labelled): number | undefined {
  const numbers = values.map((value) => Number.parseInt(value, 10)).filter((number) => !Number.isNaN(number))
  if (numbers.length === 0 || bound === 'below') return undefined
  return Math.min(...numbers) + (bound === 'above' ? 1 : 0)
}

/** `nvidia.com/mig-1g.10gb: 2`, and the same profile as a label's value. */
function saidOfSlice(name: string, values: readonly string[]): Said {
  const profile = [name, ...values].map((text) => /(\d+)g\.(\d+)gb/.exec(text)).find((match) => match !== null)
  const count = name.startsWith('nvidia.com/mig-') ? countOf(values) : {}
  const size = profile === undefined ? {} : { minVramGib: Number(profile[2]) }
  return { does: 'asks for a slice of a card', lead: IN_A_MANIFEST, gpu: { ...count, ...size, sharing: 'mig' } }
}

function saidOfResource(labelled: Labelled, gpu: ForeignGpu): Said {
  return { ...saidOfCount(1), gpu: { ...countOf(labelled.values), ...gpu } }
}

/** The major label alone gives `8`, both labels together `8.9`. The minor label alone says nothing. */
function saidOfCapability(labelled: Labelled): Said {
  const [value = ''] = labelled.values
  const whole = leastOf(labelled)
  if (whole === undefined || (labelled.name.endsWith('minor') && !value.includes('.'))) return ONE_CLUSTERS_LABEL
  const minCapability = value.includes('.') ? value : `${whole}.0`
  return inOtherWords("asks for a compute capability in a cluster's words", { minCapability })
}

function saidOfSize(labelled: Labelled, requestFor: (least: number) => ForeignGpu): Said {
  const least = leastOf(labelled)
  return least === undefined
    ? ONE_CLUSTERS_LABEL
    : inOtherWords("asks for a card's memory in a cluster's words", requestFor(least))
}

function countOf(values: readonly string[]): { count?: number } {
  const count = leastOf({ name: '', values, bound: 'is' })
  return count === undefined ? {} : { count }
}

/** `2x4` means eight chips. */
function chipsIn(topology: string): number {
  return (topology.match(/\d+/g) ?? ['1']).map(Number).reduce((product, side) => product * side, 1)
}

function archNamed(value: string): string {
  const name = value.toLowerCase()
  return ARCH_SYNONYMS[name] ?? name
}

/** Clusters name the levels of their networks freely. A host is the closest level, and a rack the usual one. */
function levelOf(key: string): string {
  if (/nvlink|clique|hostname|host$/i.test(key)) return 'nvlink_domain'
  return /zone|region/i.test(key) ? 'zone' : 'rack'
}
