import type { GpuModel } from '../../hardware/gpu.ts'

/** What decides how fast the links of a card are; undefined: unknown. */
export type RateFacts = Pick<GpuModel, 'target' | 'pcieGen'>

/** How two devices reach each other over PCIe, from near to far, in the words of `nvidia-smi topo -m`. */
export type PciePath = 'PSB' | 'PIX' | 'PXB' | 'PHB' | 'NODE' | 'SYS'

/**
 * GB/s in one direction over one NVLink. Vendors add both directions, so this is half of what they print. An unknown card
 * gets the rate of most generations.
 */
export function nvlinkGbps(facts: RateFacts | undefined): number {
  return NVLINK_GBPS.get(facts?.target ?? '') ?? NVLINK_USUAL_GBPS
}

/**
 * GB/s in one direction over PCIe x16. The order of the paths is certain; the values are estimates, because bridges and
 * sockets differ. An unknown card gets the rate of an old generation, so that too much is never promised.
 */
export function pcieGbps(path: PciePath, facts: RateFacts | undefined): number {
  const generation = facts?.pcieGen ?? PCIE_USUAL_GENERATION
  return 2 * 2 ** generation * SHARES[path]
}

const NVLINK_USUAL_GBPS = 25
const PCIE_USUAL_GENERATION = 3

/** Compute capabilities whose links are slower or faster than usual. */
const NVLINK_GBPS: ReadonlyMap<string, number> = new Map([
  ['6.0', 20],
  ['8.6', 14.0625],
  ['10.0', 50],
  ['10.3', 50],
])

const SHARES: Readonly<Record<PciePath, number>> = { PSB: 1, PIX: 1, PXB: 0.9, PHB: 0.75, NODE: 0.65, SYS: 0.5 }
