import { versionNumber } from '../base/version.ts'
import type { GpuModel } from './gpu.ts'

/** Widths of numbers that vendors state a dense throughput for. */
export const PRECISIONS = ['fp16', 'fp8', 'fp4'] as const

export type Precision = (typeof PRECISIONS)[number]

/** Dense TFLOPS of one card; 0: it has no units for this precision; undefined: unknown. */
export function denseTflops(card: GpuModel, precision: Precision): number | undefined {
  return card[`${precision}Tflops`] ?? (lacks(card, precision) ? 0 : undefined)
}

/** The oldest compute capability, and AMD's oldest architectures, with units for a precision. */
const SINCE: Readonly<
  Record<Exclude<Precision, 'fp16'>, { readonly nvidia: string; readonly amd: readonly string[] }>
> = {
  fp8: { nvidia: '8.9', amd: ['cdna3', 'cdna4'] },
  fp4: { nvidia: '10.0', amd: ['cdna4'] },
}

/** Only makers whose generations are known to have begun with a precision are said to lack it before. */
function lacks({ vendor, arch, target }: GpuModel, precision: Precision): boolean {
  if (precision === 'fp16') return false
  const { nvidia, amd } = SINCE[precision]
  if (vendor === 'amd') return !amd.includes(arch)
  const capability = target === undefined ? undefined : versionNumber(target)
  return vendor === 'nvidia' && capability !== undefined && capability < (versionNumber(nvidia) ?? 0)
}
