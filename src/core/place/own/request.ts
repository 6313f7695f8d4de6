import type { FleetNode, Request } from '../../fleet/fleet.ts'
import { modelFacts } from '../../hardware/family.ts'
import { migRules, profileName, smallestProfile } from '../../fleet/mig/rules.ts'
import type { Need } from '../../requirement/need/need.ts'
import type { GpuNeed } from '../../requirement/table.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'

/**
 * What a need asks of a node in the form of an offer: whole cards, a slice, a share or processors alone. Undefined: in this
 * form the need does not state how much it takes. Unknown disk is not counted: the policy has already decided whether to
 * accept it.
 */
export function requestOn(need: Need, machine: Machine, node: FleetNode): Request | undefined {
  const part = need.gpu === undefined ? WHOLE : partOf(need.gpu, machine.gpu)
  if (part === undefined) return undefined
  return {
    cpuMilli: roundUp((need.cpu.min ?? 0) * 1000),
    memoryMib: roundUp((need.memoryGib.min ?? 0) * 1024),
    diskMib: node.diskMib === undefined ? 0 : roundUp((need.diskGib.min ?? 0) * 1024),
    count: need.gpu === undefined ? 0 : Math.max(1, need.gpu.count.min ?? 1),
    part,
    models: undefined,
  }
}

const WHOLE = { kind: 'whole' } as const

function partOf(need: GpuNeed, facts: GpuFacts | undefined): Request['part'] | undefined {
  switch (facts?.sharing) {
    case undefined:
      return undefined
    case 'whole':
      return WHOLE
    case 'mig':
      return isSmallest(facts) ? { kind: 'slice', vramGib: facts.vramGib } : undefined
    case 'share': {
      const milli = roundUp(1000 * shareOf(need, facts))
      return milli === 0 ? undefined : { kind: 'share', milli }
    }
  }
}

/** Of profiles with the same memory, only the smallest is ever cut. */
function isSmallest({ model, profile, vramGib }: GpuFacts): boolean {
  const rules = migRules(model)
  const smallest = rules === undefined ? undefined : smallestProfile(rules, vramGib)
  return rules !== undefined && smallest !== undefined && profileName(rules, smallest) === profile
}

/** The share of a card that has the requested memory; 0: the need does not state how much. */
function shareOf({ vramGib, usableGib }: GpuNeed, { model }: GpuFacts): number {
  const card = modelFacts(model)
  if (card === undefined) return 0
  const usable = card.vramMib === undefined ? 0 : ((usableGib.min ?? 0) * 1024) / card.vramMib
  return Math.max((vramGib.min ?? 0) / card.vramGib, usable)
}

/** Rounds up to a whole number, but ignores floating-point noise. */
function roundUp(value: number): number {
  return Math.max(0, Math.ceil(value - 1e-6))
}
