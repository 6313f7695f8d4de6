/** How two cards of one machine talk to each other. */
export type Link = 'pcie' | 'nvlink' | 'nvswitch'
