/** How the cards of one node are wired. Two nodes with the same layout share one object. */
export interface Layout {
  /** Same id, same wiring. */
  readonly id: string
  readonly cards: number
  /** GB/s between cards i and j in one direction, at `i * cards + j`; 0 on the diagonal and where it is not known. */
  readonly gbps: readonly number[]
  /** NUMA node of each card; undefined: unknown. */
  readonly numa: readonly (number | undefined)[]
  /** PCIe switch of each card; undefined: unknown or none. */
  readonly pcieSwitch: readonly (number | undefined)[]
  readonly nics: readonly Nic[]
}

export interface Nic {
  readonly name: string
  readonly numa: number | undefined
  readonly pcieSwitch: number | undefined
}
