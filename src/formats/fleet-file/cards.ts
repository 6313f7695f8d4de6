import { nearest } from '../../core/document/nearest.ts'
import { familyOf, modelFacts } from '../../core/hardware/family.ts'
import type { GpuModel } from '../../core/hardware/gpu.ts'
import { resolveGpu } from '../../core/hardware/resolve.ts'
import { GPUS } from '../../core/hardware/table.ts'
import type { Complaint } from './problems.ts'

/** The model, or the complaint about a name that stands for none or for several. */
export type NamedCard = { readonly facts: GpuModel } | { readonly complaint: Complaint }

/** Finds the card of a name. A name that leaves only the form factor open stands for the family. */
export function cardNamed(name: string, count: number): NamedCard {
  const exact = modelFacts(name.trim().toLowerCase())
  if (exact !== undefined) return { facts: exact }
  const resolved = resolveGpu(name, { count })
  if (resolved.kind === 'unknown') return { complaint: unknown(name) }
  if (resolved.slice !== undefined) return { complaint: A_SLICE }
  if (resolved.kind === 'gpu') return { facts: resolved.gpu }
  const facts = modelFacts(familyOf(resolved.candidates) ?? '')
  return facts === undefined ? { complaint: several(resolved.candidates) } : { facts }
}

const A_SLICE: Complaint = {
  code: 'VALUE_INVALID',
  message: 'This is the name of a slice; name the whole card.',
  hint: 'Write the name of the card, and sharing: mig.',
}

function unknown(name: string): Complaint {
  const meant = nearest(name, [...GPUS.map((gpu) => gpu.id), ...GPUS.map((gpu) => gpu.name)])
  const hint = meant === undefined ? 'For example: h100-sxm, A100 SXM 80 GB, L40S.' : `Did you mean ${meant}?`
  return { code: 'VALUE_INVALID', message: 'There is no card with this name.', hint }
}

function several(candidates: readonly GpuModel[]): Complaint {
  const ids = [...new Set(candidates.map((gpu) => gpu.id))].sort()
  return {
    code: 'VALUE_INVALID',
    message: 'Several different cards have this name.',
    hint: `Write one of ${ids.join(', ')}.`,
  }
}
