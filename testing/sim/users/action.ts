import type { Chore } from './operator.ts'
import type { Wish } from './wishes.ts'

/** What a user does to the control plane. Times are in ms from the start. */
export type UserAction =
  | { readonly kind: 'apply'; readonly at: number; readonly wish: Wish }
  | {
      readonly kind: 'scale'
      readonly at: number
      readonly name: string
      readonly replicas: number
      readonly role?: string | undefined
    }
  /** Scales it at the same moment as its owner does something, without waiting for anybody. */
  | {
      readonly kind: 'race'
      readonly at: number
      readonly name: string
      readonly replicas: number
      readonly role?: string | undefined
    }
  /** Somebody tries what is not his to do. */
  | {
      readonly kind: 'meddle'
      readonly at: number
      readonly name: string
      readonly by: 'reader' | 'neighbour'
      readonly deed: 'scale' | 'stop' | 'remove'
    }
  /** An operator looks after the platform. */
  | { readonly kind: 'chore'; readonly at: number; readonly chore: Chore }
  | { readonly kind: 'stop' | 'remove' | 'restart'; readonly at: number; readonly name: string }
  | {
      readonly kind: 'provider'
      readonly at: number
      readonly provider: string
      readonly state: 'open' | 'cordoned' | 'draining'
    }
  /** The configuration is read again, without these providers and policies. */
  | {
      readonly kind: 'config'
      readonly at: number
      readonly without: readonly string[]
    }
