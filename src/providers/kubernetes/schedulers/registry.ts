import { kai } from './kai.ts'
import { kueue } from './kueue.ts'
import { native } from './native.ts'
import type { BatchScheduler } from './scheduler.ts'
import { volcano } from './volcano.ts'

/** Every batch scheduler that Berth knows, in the order in which they are looked for. */
export const SCHEDULERS: readonly BatchScheduler[] = [kai, volcano, kueue, native]
