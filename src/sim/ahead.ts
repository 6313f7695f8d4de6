/** Whether the world holds what the product is promised to bear and does not yet. */
export const IS_AHEAD: boolean = false
