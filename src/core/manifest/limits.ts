/** How large one workload may be. Every path that accepts, scales or loads a workload enforces these limits. */

/** Slots of a workload: the replicas of all its roles, times the machines of each. */
export const SLOTS_MAX = 10_000

/** Parts with resources of their own. */
export const ROLES_MAX = 64

/** Variables of a workload or a role, and their total characters: operating systems limit what a program receives. */
export const VARIABLES_MAX = 1024
export const VARIABLES_CHARS_MAX = 128 * 1024

/** Total characters of all secrets of a workload. */
export const SECRETS_CHARS_MAX = 512 * 1024

/** How often a failed job is restarted, unless its manifest says otherwise. */
export const JOB_RESTARTS = 3
