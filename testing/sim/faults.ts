import type { CloudCall, Fate } from '../../src/providers/sim/whims.ts'
import type { RentedTrouble } from './rented/trouble.ts'

/**
 * One thing that goes wrong, as data: a run can be repeated with exactly these, with fewer, or with others. Times are in
 * ms from the start of the simulation; `pick` (0..1) chooses among what is there when it happens.
 */
export type FaultEvent =
  /** A share of a provider's answers goes wrong for a while: one kind of question, or all. */
  | {
      readonly kind: 'calls'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly fate: Fate
      readonly ask?: CloudCall | undefined
      readonly rate: number
    }
  /** Answers take this long. */
  | {
      readonly kind: 'slow'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly ms: number
    }
  /** Nothing is left of one offer. */
  | {
      readonly kind: 'sold-out'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly pick: number
    }
  | {
      readonly kind: 'price'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly pick: number
      readonly factor: number
    }
  | {
      readonly kind: 'quota'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly quota: number
    }
  | { readonly kind: 'machine'; readonly at: number; readonly provider: string; readonly pick: number }
  | { readonly kind: 'person'; readonly at: number; readonly provider: string; readonly pick: number }
  | {
      readonly kind: 'preemption'
      readonly at: number
      readonly provider: string
      readonly pick: number
      readonly noticeMs: number
    }
  /** The workload in one instance says for a while that it is not well. */
  | {
      readonly kind: 'sick'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly pick: number
    }
  /** An instance of another owner appears in the account. */
  | { readonly kind: 'stranger'; readonly at: number; readonly provider: string; readonly pick: number }
  /** An unknown instance with our own tag appears, as after an old backup was restored. */
  | { readonly kind: 'leftover'; readonly at: number; readonly provider: string; readonly pick: number }
  /** A control plane is killed and starts again after a while. */
  | { readonly kind: 'kill'; readonly at: number; readonly forMs: number; readonly plane: number }
  | { readonly kind: 'pause'; readonly at: number; readonly forMs: number; readonly plane: number }
  | { readonly kind: 'clock'; readonly at: number; readonly plane: number; readonly ms: number }
  /** A share of the calls to the database fails, or fails after it was carried out. */
  | {
      readonly kind: 'database'
      readonly at: number
      readonly forMs: number
      readonly fate: 'down' | 'lost' | 'slow' | 'sluggish'
      readonly rate: number
      readonly ms?: number | undefined
      readonly plane?: number | undefined
    }
  /** Nobody can tell for a while how one instance is. */
  | {
      readonly kind: 'unreadable'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly pick: number
    }
  /** Something is wrong with a rented cloud. */
  | {
      readonly kind: 'rented'
      readonly at: number
      readonly forMs: number
      readonly provider: string
      readonly trouble: RentedTrouble
    }
  /** A row that makes no sense is put among the others. */
  | { readonly kind: 'poison'; readonly at: number; readonly pick: number }
