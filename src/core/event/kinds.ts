import type * as z from 'zod'
import { ATTEMPT_EVENTS } from './kinds/attempt.ts'
import type { EventDefinition } from './kinds/kind.ts'
import { PLATFORM_EVENTS } from './kinds/platform.ts'
import { REQUEST_EVENTS } from './kinds/request.ts'
import { WORKLOAD_EVENTS } from './kinds/workload.ts'

/** Every kind of event that this version tells, by the one word that users read. */
export const EVENTS = { ...REQUEST_EVENTS, ...ATTEMPT_EVENTS, ...WORKLOAD_EVENTS, ...PLATFORM_EVENTS } as const

export type EventKind = keyof typeof EVENTS

/** The facts of a kind. */
export type FactsOf<K extends EventKind> = Readonly<z.output<(typeof EVENTS)[K]['facts']>>

/** The kind of object that a kind is about. */
export type AboutOf<K extends EventKind> = (typeof EVENTS)[K]['about']

/** The definition of a kind; undefined: this version does not tell such events. */
export function definitionOf(kind: string): EventDefinition | undefined {
  // What is listed is a definition whose example and words agree with its facts.
  return Object.hasOwn(EVENTS, kind) ? (EVENTS[kind as EventKind] as unknown as EventDefinition) : undefined
}
