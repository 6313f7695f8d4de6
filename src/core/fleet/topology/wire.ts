import type { Layout, Nic } from '../layout.ts'

/** The parts of a layout; the rest is derived. */
export interface Wires {
  /** The first word of the layout's id. */
  readonly kind: string
  readonly cards: number
  /** GB/s in one direction between two different cards, the lower one first; 0: not known. */
  readonly gbps: (one: number, two: number) => number
  readonly numa: (card: number) => number | undefined
  readonly pcieSwitch: (card: number) => number | undefined
  readonly nics: readonly Nic[]
}

/** Builds a layout. Its id is a digest of its content, so the same id means the same wiring. */
export function wire({ kind, cards, gbps, numa, pcieSwitch, nics }: Wires): Layout {
  const indices = Array.from({ length: cards }, (_, card) => card)
  const wiring = {
    cards,
    gbps: indices.flatMap((one) =>
      indices.map((two) => (one === two ? 0 : gbps(Math.min(one, two), Math.max(one, two)))),
    ),
    numa: indices.map(numa),
    pcieSwitch: indices.map(pcieSwitch),
    nics,
  }
  return { id: `${kind}-${cards}-${digest(JSON.stringify(wiring))}`, ...wiring }
}

/** Two FNV-1a hashes with different multipliers: 64 bits, plenty for the layouts of a fleet. */
function digest(text: string): string {
  let one = 0x811c_9dc5
  let two = 0x0103_1c9d
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    one = Math.imul(one ^ letter, 0x0100_0193)
    two = Math.imul(two ^ letter, 0x5bd1_e995)
  }
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('')
}
