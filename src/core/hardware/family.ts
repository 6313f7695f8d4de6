import type { GpuModel } from './gpu.ts'
import { FAMILIES, FAMILY_NAMES, gpuById } from './table.ts'

/**
 * The facts about a model or, where only a family is known, about all its members: facts that differ between members
 * are unknown.
 */
export function modelFacts(id: string): GpuModel | undefined {
  return gpuById(id) ?? MERGED.get(id)
}

/** One id for several models: the id of their family, or undefined when they are not of one family. */
export function familyOf(models: readonly GpuModel[]): string | undefined {
  const [first, ...rest] = models
  return rest.every((gpu) => gpu.family === first?.family) ? first?.family : undefined
}

const MERGED: ReadonlyMap<string, GpuModel> = new Map(
  [...FAMILIES].flatMap(([id, members]) => {
    const merged = merge(id, members)
    return merged === undefined ? [] : [[id, merged]]
  }),
)

function merge(id: string, [first, ...rest]: readonly GpuModel[]): GpuModel | undefined {
  const name = FAMILY_NAMES[id]
  if (first === undefined || name === undefined) return undefined
  const all = [first, ...rest]
  const shared = <Key extends keyof GpuModel>(key: Key): GpuModel[Key] | undefined =>
    rest.every((gpu) => gpu[key] === first[key]) ? first[key] : undefined

  return {
    // Members of a family share vendor, architecture and nominal memory; a test checks the table.
    ...first,
    id,
    name,
    target: shared('target'),
    form: shared('form'),
    vramMib: shared('vramMib'),
    vramMibSeen: unique(
      all.flatMap((gpu) => [...(gpu.vramMib === undefined ? [] : [gpu.vramMib]), ...gpu.vramMibSeen]),
    ),
    memoryGbps: shared('memoryGbps'),
    fp16Tflops: shared('fp16Tflops'),
    fp8Tflops: shared('fp8Tflops'),
    fp4Tflops: shared('fp4Tflops'),
    link: shared('link') ?? 'bridge',
    linkGbps: shared('linkGbps'),
    switchFrom: shared('switchFrom'),
    mig: first.mig.filter((one) =>
      rest.every((gpu) => gpu.mig.some((two) => two.name === one.name && two.max === one.max)),
    ),
    driverMin: shared('driverMin'),
    driverMax: shared('driverMax'),
    cudaMin: shared('cudaMin'),
    cudaMax: shared('cudaMax'),
    hostArch: shared('hostArch'),
    pcieGen: shared('pcieGen'),
    aliases: [],
    soldAs: [],
    unverified: unique(all.flatMap((gpu) => gpu.unverified)).toSorted(),
  }
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}
