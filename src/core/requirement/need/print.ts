import { LINK_RANK } from '../../hardware/link.ts'

/** Memory as users write it: `80Gi`, `0.5Gi`. */
export function gib(value: number): string {
  return `${trim(value)}Gi`
}

/** A number with at most three decimals and no trailing zeros. */
export function trim(value: number): string {
  return String(Math.round(value * 1000) / 1000)
}

/** An hourly price: `$9.40`, or `$0.0042` where whole cents would hide the amount. */
export function usd(value: number): string {
  return value !== 0 && value < 0.095 ? `$${Number(value.toPrecision(2))}` : `$${value.toFixed(2)}`
}

/** The manifest's word for a link rank; 0 and below is `any`. */
export function linkName(rank: number): string {
  return LINK_NAMES[rank] ?? 'any'
}

const LINK_NAMES = ['any', ...Object.keys(LINK_RANK)]
