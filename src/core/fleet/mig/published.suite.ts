import { must } from '../../base/assert.ts'
import type { CutSlice } from '../fleet.ts'

// What drivers print, and a checker that knows nothing else. It shares no code with the rules it checks.

/** `nvidia-smi mig -lgipp`, without the profiles for media and graphics, which have the same positions as the plain ones. */
const PRINTED = {
  /** Seen on A100 40 GB, H100 80 GB, H100 NVL and H200 141 GB. */
  seven: `
GPU  0 Profile ID 19 Placements: {0,1,2,3,4,5,6}:1
GPU  0 Profile ID 15 Placements: {0,2,4,6}:2
GPU  0 Profile ID 14 Placements: {0,2,4}:2
GPU  0 Profile ID  9 Placements: {0,4}:4
GPU  0 Profile ID  5 Placement : {0}:4
GPU  0 Profile ID  0 Placement : {0}:8`,
  /** Seen on A30. */
  four: `
GPU  0 Profile ID 14 Placements: {0,1,2,3}:1
GPU  0 Profile ID  5 Placements: {0,2}:2
GPU  0 Profile ID  0 Placement : {0}:4`,
  /** Seen on RTX PRO 6000 Blackwell Server Edition, whose driver counts twelve units. */
  twelve: `
GPU  0 Profile ID 14 Placements: {0,3,6,9}:3
GPU  0 Profile ID  5 Placements: {0,6}:6
GPU  0 Profile ID  0 Placement : {0}:12`,
}

/** The name of each profile id, in the order of the lines above. */
const MIG_40 = '1g.5gb 1g.10gb 2g.10gb 3g.20gb 4g.20gb 7g.40gb'
const MIG_80 = '1g.10gb 1g.20gb 2g.20gb 3g.40gb 4g.40gb 7g.80gb'
const MIG_96 = '1g.12gb 1g.24gb 2g.24gb 3g.48gb 4g.48gb 7g.96gb'
const MIG_141 = '1g.18gb 1g.35gb 2g.35gb 3g.71gb 4g.71gb 7g.141gb'
const RTX_PRO = '1g.24gb 2g.48gb 4g.96gb'

/** Every model that can be cut. No printed list was found for those not named above; they have the same counts. */
const MODELS: Readonly<Record<string, readonly [printed: keyof typeof PRINTED, names: string]>> = {
  'a100-40-pcie': ['seven', MIG_40],
  'a100-40-sxm': ['seven', MIG_40],
  'a100-80-pcie': ['seven', MIG_80],
  'a100-80-sxm': ['seven', MIG_80],
  'a800-80-pcie': ['seven', MIG_80],
  'a800-80-sxm': ['seven', MIG_80],
  'h100-pcie': ['seven', MIG_80],
  'h100-sxm': ['seven', MIG_80],
  'h800-pcie': ['seven', MIG_80],
  'h800-sxm': ['seven', MIG_80],
  'h100-nvl': ['seven', '1g.12gb 1g.24gb 2g.24gb 3g.47gb 4g.47gb 7g.94gb'],
  'h20-96': ['seven', MIG_96],
  'gh200-96': ['seven', MIG_96],
  'h200-nvl': ['seven', MIG_141],
  'h200-sxm': ['seven', MIG_141],
  'b200-sxm': ['seven', '1g.23gb 1g.45gb 2g.45gb 3g.90gb 4g.90gb 7g.180gb'],
  gb200: ['seven', '1g.23gb 1g.47gb 2g.47gb 3g.93gb 4g.93gb 7g.186gb'],
  'b300-sxm': ['seven', '1g.34gb 1g.67gb 2g.67gb 3g.135gb 4g.135gb 7g.269gb'],
  gb300: ['seven', '1g.35gb'],
  a30: ['four', '1g.6gb 2g.12gb 4g.24gb'],
  'rtx-pro-6000-max-q': ['twelve', RTX_PRO],
  'rtx-pro-6000-server': ['twelve', RTX_PRO],
  'rtx-pro-6000-workstation': ['twelve', RTX_PRO],
}

/** One line of a printed list. */
export interface PrintedProfile {
  readonly name: string
  readonly compute: number
  readonly starts: readonly number[]
  readonly size: number
}

export const PUBLISHED: ReadonlyMap<string, readonly PrintedProfile[]> = new Map(
  Object.entries(MODELS).map(([model, [printed, names]]) => [model, read(PRINTED[printed], names.split(' '))]),
)

/** Why slices cannot share one card; undefined: they can. */
export function forbidden(model: string, slices: readonly CutSlice[]): string | undefined {
  const profiles = listed(model)
  const taken = new Set<number>()
  let compute = 0
  for (const { profile, start } of slices) {
    const printed = profiles.find(({ name }) => name === profile)
    if (printed === undefined) return `${model} has no ${profile}`
    if (!printed.starts.includes(start)) return `${profile} cannot start at ${start} on ${model}`
    for (let unit = start; unit < start + printed.size; unit++) {
      if (taken.has(unit)) return `two slices share unit ${unit} on ${model}`
      taken.add(unit)
    }
    compute += printed.compute
  }
  const most = Math.max(...profiles.map((printed) => printed.compute * printed.starts.length))
  return compute > most ? `${compute} compute slices are in use on ${model}, which has ${most}` : undefined
}

/** Where the list still allows a slice next to others. */
export function allowed(model: string, slices: readonly CutSlice[], profile: string): readonly number[] {
  const printed = must(
    listed(model).find(({ name }) => name === profile),
    profile,
  )
  return printed.starts.filter(
    (start) => forbidden(model, [...slices, { kind: 'slice', profile, start }]) === undefined,
  )
}

function listed(model: string): readonly PrintedProfile[] {
  return must(PUBLISHED.get(model), model)
}

function read(text: string, names: readonly string[]): readonly PrintedProfile[] {
  const lines = [...text.matchAll(/\{([\d,]+)\}:(\d+)/g)]
  return names.map((name, index) => {
    const [, starts, size] = must(lines[index], name)
    const compute = Number(name.split('g.')[0])
    return { name, compute, starts: (starts ?? '').split(',').map(Number), size: Number(size) }
  })
}
