import type { Layout, Nic } from '../layout.ts'

/** What a layout is made of; the rest follows. */
export interface Wires {
  /** The first word of the layout's id. */
  readonly kind: string
  readonly cards: number
  /** GB/s in one direction between two different cards, the lower one first; 0: nobody knows. */
  readonly gbps: (one: number, two: number) => number
  readonly numa: (card: number) => number | undefined
  readonly pcieSwitch: (card: number) => number | undefined
  readonly nics: readonly Nic[]
}

/** Builds a layout. Its id is a digest of all that is in it, so that the same id means the same wiring. */
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

/** Two hashes of the FNV-1a kind with different multipliers: 64 bits, far more than a fleet has layouts. */
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
