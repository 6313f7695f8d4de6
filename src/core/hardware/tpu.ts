/** A slice of a TPU pod as its name describes it. */
export interface TpuSlice {
  /** Id of the model in the hardware table. */
  readonly model: string
  readonly chips: number
}

/** For these the number in the name counts cores, two per chip; for the rest it counts chips. */
const CORES_PER_CHIP: Readonly<Record<string, number>> = {
  v2: 2,
  v3: 2,
  v4: 2,
  v5p: 2,
  v5e: 1,
  v5litepod: 1,
  v6e: 1,
}

const MODELS: Readonly<Record<string, string>> = { v5litepod: 'tpu-v5e' }

const NAME = /^(?:tpu[-_ ]?)?(v[2-6][a-z]*)[-_ ](\d{1,6})$/

/** Reads `tpu-v5p-8` (8 cores, so 4 chips) and `v5litepod-8` (8 chips); undefined when it is no such name. */
export function tpuChips(name: string): TpuSlice | undefined {
  const [, version, size] = NAME.exec(name.trim().toLowerCase()) ?? []
  if (version === undefined) return undefined
  const cores = CORES_PER_CHIP[version]
  if (cores === undefined) return undefined
  const chips = Number(size) / cores
  if (!Number.isInteger(chips) || chips === 0) return undefined
  return { model: MODELS[version] ?? `tpu-${version}`, chips }
}
