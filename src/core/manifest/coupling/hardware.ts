import { knownMachine } from '../../hardware/instances.ts'
import { printVersion, versionNumber } from '../../base/version.ts'
import { countIn, readAlternatives, saidOfCards, sizeIn, weakest } from './card.ts'
import { linkOf, namesOf } from './hint.ts'
import { looksLikeMachine, machineSize } from './machine.ts'
import type { MachineSize } from './machine.ts'
import { IN_A_MANIFEST, atKey, numberOf, textOf, textsIn, unique } from './rule.ts'
import type { ForeignGpu, CouplingRule, Said } from './rule.ts'

const RESOURCES_SAY = 'State under resources what the machine must have: cpu, memory, disk, gpu.'

const machines: CouplingRule = {
  keys: `instance_type instance_types machine_type machine_types vm_size vm_sizes vm_type vm_types vm_type_id server_type
    node_type node_instance_type node_instance_types flavor flavors flavor_name shape shape_name sku skus sku_name
    instance_size instance_name machine hardware cloud_instance_type shade_instance_type ml_instance_type`,
  read(site) {
    const names = textsIn(site.value)
    return names.length === 0 ? [] : [atKey(site, saidOfMachines(names))]
  },
}

/** Common words that count only when their value is the name of a machine. */
const maybeMachines: CouplingRule = {
  keys: 'type size instance instances plan preset platform',
  read(site) {
    const names = textsIn(site.value)
    return names.length > 0 && names.every(isMachine) ? [atKey(site, saidOfMachines(names))] : []
  },
}

const cards: CouplingRule = {
  keys: `gpu_type gpu_types gpu_type_id gpu_type_ids gpu_name gpu_names gpu_model gpu_models gpu_product gpu_class gpu_kind
    accelerator accelerator_name accelerator_names accelerator_type accelerator_types preferred_gpu preferred_gpus`,
  read(site) {
    const names = textsIn(site.value).map(lastStep)
    return names.length === 0 ? [] : [atKey(site, saidOfCards(readAlternatives(names)))]
  },
}

const counts: CouplingRule = {
  keys: `gpu_count gpu_counts num_gpus n_gpus ngpus number_of_gpus gpus_per_node gpus_per_task gpus_per_replica
    accelerator_count accelerators_count num_accelerators gpu_num`,
  read(site) {
    const count = countIn(textOf(site.value) ?? '')
    return count === undefined ? [] : [atKey(site, saidOfCount(count))]
  },
}

/** `gpus: 4`, `gpus: all`, `gpus: H100:8`. */
const gpus: CouplingRule = {
  keys: 'gpus',
  read(site) {
    const names = textsIn(site.value)
    return names.length === 0 ? [] : [atKey(site, saidOfCards(readAlternatives(names)))]
  },
}

const sizes: CouplingRule = {
  keys: `gpu_memory gpu_mem gpu_ram gpu_vram gpu_memory_gb gpu_ram_gb min_gpu_memory min_gpu_ram vram vram_gb gpu_memory_size
    min_single_card_vram_in_gb vram_per_gpu_in_gb min_vram_gb min_gpu_memory_gb`,
  read(site) {
    const gib = sizeIn(textOf(site.value) ?? '') ?? gibIn(numberOf(site.value))
    if (gib === undefined) return []
    const does = "asks for a card's memory in another tool's words"
    return [atKey(site, { does, lead: IN_A_MANIFEST, gpu: { minVramGib: gib } })]
  },
}

const cudas: CouplingRule = {
  keys: 'cuda cuda_version cuda_versions min_cuda_version allowed_cuda_versions cuda_max_good',
  read(site) {
    const versions = textsIn(site.value).flatMap((text) => versionNumber(text) ?? [])
    if (versions.length === 0) return []
    const gpu = { minCuda: printVersion(Math.min(...versions)) }
    return [atKey(site, { does: "asks for CUDA in another tool's words", lead: IN_A_MANIFEST, gpu })]
  },
}

/** Machines, cards and their sizes, under the keys that most tools share. */
export const HARDWARE_RULES: readonly CouplingRule[] = [machines, maybeMachines, cards, counts, gpus, sizes, cudas]

/** What a list of alternative machines asks for. */
export function saidOfMachines(names: readonly string[]): Said {
  const known = names.map(machineOf)
  const size = smallestOf(known.map((machine) => machine.size))
  const requests = known.flatMap(({ gpu }) => gpu ?? [])
  const asks = asksOf(requests.length < names.length ? [] : requests, size)
  if (names.length > 1) {
    const lead = asks.advice === undefined ? { lead: 'what they have in common is' } : {}
    return { does: `names ${names.length} machines`, ...lead, ...asks }
  }
  const facts = asks.advice === undefined ? factsOf(requests[0], size) : {}
  return { does: "names one provider's machine", ...facts, ...asks }
}

/** A machine with cards is chosen for its cards. CPU and memory count only when it has none. */
function asksOf(
  requests: readonly ForeignGpu[],
  size: MachineSize | undefined,
): Pick<Said, 'gpu' | 'alone' | 'lines' | 'advice'> {
  if (requests.length > 0) return { gpu: weakest(requests), alone: true }
  return size === undefined ? { advice: RESOURCES_SAY } : { lines: sizeLines(size) }
}

/** Whether the name can only be that of a provider's machine. */
function isMachine(name: string): boolean {
  return looksLikeMachine(name) || knownMachine(name).length > 0
}

export function saidOfCount(count: number): Said {
  return { does: "counts cards in another tool's words", lead: IN_A_MANIFEST, gpu: { count } }
}

interface Machine {
  readonly gpu: ForeignGpu | undefined
  readonly size: MachineSize | undefined
}

function machineOf(name: string): Machine {
  const found = knownMachine(name)
  const size = machineSize(name)
  if (found.length === 0) return { gpu: undefined, size }
  const candidates = unique(found.map((machine) => machine.gpu))
  const counts = unique(found.map((machine) => machine.count))
  const [count] = counts.length === 1 ? counts : []
  const card = { text: name, candidates, slice: found[0]?.slice, linked: false }
  return { gpu: { cards: [card], ...(count === undefined ? {} : { count }) }, size }
}

/** Undefined when one of them is not known. */
function smallestOf(sizes: readonly (MachineSize | undefined)[]): MachineSize | undefined {
  const known = sizes.flatMap((size) => size ?? [])
  if (known.length < sizes.length) return undefined
  return { cpu: Math.min(...known.map(({ cpu }) => cpu)), memoryGib: Math.min(...known.map((size) => size.memoryGib)) }
}

/** `is 8 × A100 SXM 40 GB with NVSwitch, 96 CPUs, 1152 GiB` */
function factsOf(gpu: ForeignGpu | undefined, size: MachineSize | undefined): { readonly facts: string } {
  const sizes = size === undefined ? [] : [`${size.cpu} CPUs`, `${size.memoryGib} GiB`]
  if (gpu === undefined) return { facts: `has ${sizes.join(', ')}` }
  return { facts: `is ${[cardFacts(gpu), ...sizes].join(', ')}` }
}

function cardFacts(gpu: ForeignGpu): string {
  const cards = gpu.cards ?? []
  const name = namesOf(cards.flatMap((card) => card.candidates)).join(' or ')
  if (cards.some((card) => card.slice !== undefined)) return `a part of one ${name}`
  const link = { nvswitch: ' with NVSwitch', nvlink: ' with NVLink' }[linkOf(gpu) ?? ''] ?? ''
  return `${gpu.count === undefined ? '' : `${gpu.count} × `}${name}${link}`
}

function sizeLines({ cpu, memoryGib }: MachineSize): readonly string[] {
  return [`cpu: ${cpu}`, `memory: ${memoryGib}Gi`]
}

/** No card has more than a thousand gigabytes, so a larger number is in mebibytes. */
function gibIn(amount: number | undefined): number | undefined {
  return amount === undefined || amount < 1000 ? amount : Math.ceil(amount / 1024)
}

/** Clouds name accelerators by path: `projects/p/zones/z/acceleratorTypes/nvidia-tesla-a100`. */
function lastStep(address: string): string {
  return address.includes('/') ? address.slice(address.lastIndexOf('/') + 1) : address
}
