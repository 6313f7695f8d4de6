import { ARCH_SYNONYMS, ARCHES } from '../../../../../core/hardware/arch.ts'
import type { GpuHints, GpuModel } from '../../../../../core/hardware/gpu.ts'
import type { NodeObject } from '../../object/node-object.ts'
import type { NamedMachine } from '../machine.ts'
import { cardNamed, isOtherThan, vramOf, type CardByName } from '../card-by-name.ts'
import type { NvidiaLabels } from './labels.ts'
import type { RegisteredCards } from './registered.ts'

/** Which card it is, and what is installed for it. */
export interface CardIdentity {
  readonly facts: GpuModel | undefined
  readonly model: string | undefined
  readonly vramGib: number | undefined
  readonly arch: string | undefined
  /** The memory is less than that of the whole card. */
  readonly isPart: boolean
  readonly why: readonly string[]
}

/** Where the name of a card may come from, the most certain first. */
export interface NameSources {
  readonly node: NodeObject
  readonly labels: NvidiaLabels
  readonly machine: NamedMachine | undefined
  readonly registered: RegisteredCards | undefined
}

const UNNAMED: CardByName = { facts: undefined, vramGib: undefined, arch: undefined, among: [] }

/** The card of a node whose memory label is that of whole cards. */
export function wholeCard(sources: NameSources): CardIdentity {
  const { labels } = sources
  const { named, why, arch, isContradicted } = agreed(sources, nameOf(sources, labels.memoryMib))
  const vram = isContradicted ? undefined : vramOf(named, labels.memoryMib)
  const doubt = `A memory of ${labels.memoryMib} MiB is not that of ${named.facts?.name}, so it is not taken for the card's.`
  return {
    facts: named.facts,
    model: named.facts?.id,
    vramGib: vram === 'contradicts' ? undefined : vram,
    arch,
    isPart: vram === 'contradicts' && (labels.memoryMib ?? 0) < (named.facts?.vramGib ?? 0) * 1024,
    why: vram === 'contradicts' ? [...why, doubt] : why,
  }
}

/** The card of a node whose memory label is that of a slice or of a virtual card. */
export function dividedCard(sources: NameSources): CardIdentity {
  const { named, why, arch } = agreed(sources, nameOf(sources, undefined))
  return {
    facts: named.facts,
    model: named.facts?.id,
    vramGib: named.vramGib,
    arch,
    isPart: false,
    why,
  }
}

/** A name, unless the compute capability or the machine is about another card: then neither is believed. */
function agreed(
  { labels, machine }: NameSources,
  { named, why }: NamedBy,
): NamedBy & { readonly arch: string | undefined; readonly isContradicted: boolean } {
  const doubt = isOtherThan(named, labels.compute)
    ? `A compute capability of ${labels.compute} is not that of this card, so neither is believed.`
    : isMadeWithout(named, machine)
      ? `A ${machine?.named} has ${machine?.gpu.name}, so neither is believed.`
      : undefined
  if (doubt === undefined) return { named, why, arch: archOf(labels, named), isContradicted: false }
  return { named: UNNAMED, why: [...why, doubt], arch: undefined, isContradicted: true }
}

/** A card that the machine is not sold with. */
function isMadeWithout({ facts }: CardByName, machine: NamedMachine | undefined): boolean {
  if (facts === undefined || machine?.gpu.vendor !== 'nvidia') return false
  return facts.arch !== machine.gpu.arch || facts.vramGib !== machine.gpu.vramGib
}

interface NamedBy {
  readonly named: CardByName
  readonly why: readonly string[]
}

function nameOf({ node, labels, machine, registered }: NameSources, vramMib: number | undefined): NamedBy {
  const memory: GpuHints = vramMib === undefined ? {} : { vramMib }
  const { product } = labels
  if (product !== undefined) return told('nvidia.com/gpu.product', product.text, cardNamed(sliced(product), memory))
  for (const { label, provider } of NAME_LABELS) {
    const text = node.labels.get(label)
    if (text === undefined) continue
    const named = cardNamed(text, provider === undefined ? memory : { ...memory, provider })
    if (named.facts !== undefined || named.among.length > 0) return told(label, text, named)
  }
  const [name, ...others] = registered?.names ?? []
  if (name !== undefined && registered !== undefined && others.length === 0)
    return told(registered.annotation, name, cardNamed(name, {}))
  if (machine?.gpu.vendor !== 'nvidia') return { named: UNNAMED, why: [] }
  return told('the instance type', machine.named, known(machine.gpu))
}

/** A profile tells sizes of a card apart that share a name. */
function sliced({ name, profile }: NonNullable<NvidiaLabels['product']>): string {
  const plain = /^\d+g\.\d+gb$/.exec(profile ?? '')?.[0]
  return plain === undefined ? name : `${name}-MIG-${plain}`
}

function known(facts: GpuModel): CardByName {
  return { facts, vramGib: facts.vramGib, arch: facts.arch, among: [] }
}

function told(from: string, text: string, named: CardByName): NamedBy {
  if (named.facts !== undefined) return { named, why: [`${from} ${text} is ${named.facts.name}.`] }
  if (named.among.length > 0) return { named, why: [`${from} ${text} may be ${named.among.join(', ')}.`] }
  return { named, why: [`${from} ${text} is not in the hardware table.`] }
}

const NAME_LABELS: readonly { readonly label: string; readonly provider?: string }[] = [
  { label: 'cloud.google.com/gke-accelerator', provider: 'gcp' },
  { label: 'gpu.nvidia.com/model' },
  { label: 'gpu.nvidia.com/class' },
  { label: 'karpenter.k8s.aws/instance-gpu-name', provider: 'aws' },
  { label: 'eks.amazonaws.com/instance-gpu-name', provider: 'aws' },
  { label: 'karpenter.azure.com/sku-gpu-name', provider: 'azure' },
  { label: 'aliyun.accelerator/nvidia_name' },
  { label: 'k8s.amazonaws.com/accelerator', provider: 'aws' },
  { label: 'alpha.kubernetes.io/nvidia-gpu-name' },
  { label: 'accelerator' },
]

/**
 * The compute capability is certain. Feature discovery calls Ada cards `ampere`, and two
 * architectures `blackwell`, so its family alone is not.
 */
function archOf({ compute, family }: NvidiaLabels, named: CardByName): string | undefined {
  if (compute !== undefined) {
    const arch = Object.entries(ARCHES).find(
      ([, { vendor, targets }]) => vendor === 'nvidia' && targets.includes(compute),
    )
    return arch?.[0]
  }
  if (named.arch !== undefined) return named.arch
  return family === undefined || UNSURE_FAMILIES.has(family) ? undefined : knownArch(family)
}

const UNSURE_FAMILIES: ReadonlySet<string> = new Set(['ampere', 'blackwell'])

function knownArch(family: string): string | undefined {
  const name = ARCH_SYNONYMS[family] ?? family
  return Object.hasOwn(ARCHES, name) ? name : undefined
}
