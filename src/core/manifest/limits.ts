/** How large one workload may be. Whoever accepts, scales or loads one goes by these: beyond them nothing is built. */

/** Slots of a workload: replicas of all its roles, times the machines of each. */
export const SLOTS_MAX = 10_000

/** Parts with resources of their own. */
export const ROLES_MAX = 64

/** Variables of a workload or a role, and their characters together: what a system hands to a program has an end. */
export const VARIABLES_MAX = 1024
export const VARIABLES_CHARS_MAX = 128 * 1024

/** Characters of all secrets of a workload together. */
export const SECRETS_CHARS_MAX = 512 * 1024

/** A job that fails is begun again so often, unless its manifest says otherwise. */
export const JOB_RESTARTS = 3
