import type { Fault } from '../../core/life/call/fault.ts'

/** A reply that an API is known to give. What is stated must match. */
export interface FaultRow extends Omit<Fault, 'message' | 'instance'> {
  readonly code?: string | RegExp
  readonly text?: RegExp
  readonly status?: number
  /** Left out: whatever was asked. */
  readonly on?: 'create' | 'others'
  /** Where such a reply was seen, or which page says that it comes. */
  readonly seen: string
}
