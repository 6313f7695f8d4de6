import type { NodeRow } from '../node-rows.ts'

/** Objects that describe one node, and what it must be taken for. */
export interface KnownNode {
  readonly is: string
  /** Which of the sixteen ways to fool a reader it shows. */
  readonly ways: readonly number[]
  readonly objects: readonly unknown[]
  /** What is left out is unknown, except that the node is usable and has no slices. */
  readonly reads: Partial<Omit<NodeRow, 'name' | 'why'>>
}

export const EVERYTHING_UNKNOWN: Omit<NodeRow, 'name' | 'why'> = {
  vendor: null,
  model: null,
  cards: null,
  free_cards: null,
  vram_gib: null,
  arch: null,
  driver: null,
  cuda: null,
  sharing: null,
  mig: {},
  usable: true,
}

/** Labels of feature discovery. */
export function gfd(product: string, others: Readonly<Record<string, string | number>> = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ product, ...others }).map(([key, value]) => [`nvidia.com/gpu.${key}`, String(value)]),
  )
}

export function driver(full: string, cuda: string): Record<string, string> {
  return { 'nvidia.com/cuda.driver-version.full': full, 'nvidia.com/cuda.runtime-version.full': cuda }
}
