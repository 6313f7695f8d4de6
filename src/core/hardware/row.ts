import { must } from '../base/assert.ts'
import type { GpuModel, MigProfile } from './gpu.ts'

/**
 * One entry of the hardware table in its source form: only known facts, with lists as text to keep an entry short. What
 * is left out is unknown, except `family` (the card's own id), `link` (none) and the empty lists.
 */
export interface GpuRow {
  readonly id: string
  readonly family?: string
  readonly vendor: GpuModel['vendor']
  readonly name: string
  readonly arch: string
  readonly target?: string
  readonly form?: NonNullable<GpuModel['form']>
  readonly vramGib: number
  readonly vramMib?: number
  readonly vramMibSeen?: readonly number[]
  readonly memoryGbps?: number
  readonly fp16Tflops?: number
  readonly fp8Tflops?: number
  readonly fp4Tflops?: number
  readonly link?: GpuModel['link']
  readonly linkGbps?: number
  readonly switchFrom?: number
  /** `1g.5gb x7, 2g.10gb x3` */
  readonly mig?: string
  readonly driverMin?: string
  readonly driverMax?: string
  readonly cudaMin?: string
  readonly cudaMax?: string
  readonly hostArch?: GpuModel['hostArch']
  readonly pcieGen?: number
  /** Separated by `|`. */
  readonly aliases?: string
  /** Separated by spaces. */
  readonly soldAs?: string
  /** Field names separated by spaces. */
  readonly unverified?: string
}

/** Turns a row into a model. */
export function gpu(row: GpuRow): GpuModel {
  return {
    id: row.id,
    family: row.family ?? row.id,
    vendor: row.vendor,
    name: row.name,
    arch: row.arch,
    target: row.target,
    form: row.form,
    vramGib: row.vramGib,
    vramMib: row.vramMib,
    vramMibSeen: row.vramMibSeen ?? [],
    memoryGbps: row.memoryGbps,
    fp16Tflops: row.fp16Tflops,
    fp8Tflops: row.fp8Tflops,
    fp4Tflops: row.fp4Tflops,
    link: row.link ?? 'none',
    linkGbps: row.linkGbps,
    switchFrom: row.switchFrom,
    mig: list(row.mig, ',').map(migProfile),
    driverMin: row.driverMin,
    driverMax: row.driverMax,
    cudaMin: row.cudaMin,
    cudaMax: row.cudaMax,
    hostArch: row.hostArch,
    pcieGen: row.pcieGen,
    aliases: list(row.aliases, '|'),
    soldAs: list(row.soldAs, ' '),
    unverified: list(row.unverified, ' '),
  }
}

function list(text: string | undefined, separator: string): string[] {
  if (text === undefined) return []
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const MIG = /^(\d+g\.(\d+)gb) x(\d+)$/

function migProfile(text: string): MigProfile {
  const [, name = '', gib, max] = must(MIG.exec(text), `"${text}" is no MIG profile with its count`)
  return { name, gib: Number(gib), max: Number(max) }
}
