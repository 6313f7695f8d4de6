/** How two cards of one machine are connected. */
export type Link = 'pcie' | 'nvlink' | 'nvswitch'
