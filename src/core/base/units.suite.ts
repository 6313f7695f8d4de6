import { decimals } from './units.ts'

export function printShare(share: number): string {
  return `${decimals(share * 100, 2)}%`
}

/** `$9.40`; smaller parts of a cent are shown where there are any. */
export function printUsd(usd: number): string {
  const text = decimals(usd, 6)
  const places = text.includes('.') ? text.length - text.indexOf('.') - 1 : 0
  return `$${places < 2 ? usd.toFixed(2) : text}`
}
