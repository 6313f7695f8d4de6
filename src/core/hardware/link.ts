/** How two cards of one machine are connected. */
export type Link = 'pcie' | 'nvlink' | 'nvswitch'

/** Links ordered by bandwidth: NVSwitch satisfies a request for NVLink. */
export const LINK_RANK = { pcie: 1, nvlink: 2, nvswitch: 3 } as const
