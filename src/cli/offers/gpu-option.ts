import { InvalidArgumentError } from 'commander'
import { nearest } from '../../core/document/nearest.ts'
import { familyOf } from '../../core/hardware/family.ts'
import type { GpuModel } from '../../core/hardware/gpu.ts'
import { resolveGpu } from '../../core/hardware/resolve.ts'
import { GPUS } from '../../core/hardware/table.ts'

/** The accelerators a name stands for: one model, a family, or every family it may mean. */
export function addGpu(text: string, before: readonly string[] | undefined): readonly string[] {
  const found = resolveGpu(text)
  switch (found.kind) {
    case 'gpu':
      return [...(before ?? []), found.gpu.id]
    case 'unknown': {
      const meant = nearest(
        text,
        GPUS.map((gpu) => gpu.id),
      )
      throw new InvalidArgumentError(
        `No accelerator has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      )
    }
    case 'ambiguous': {
      // A user who asks for H100 wants to see every family that goes by that name.
      const family = familyOf(found.candidates)
      const families = family === undefined ? found.candidates.map((gpu: GpuModel) => gpu.family) : [family]
      return [...(before ?? []), ...new Set(families)]
    }
  }
}
