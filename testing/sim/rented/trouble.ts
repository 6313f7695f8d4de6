import type { FakeCall } from '../../clouds/fake-api.ts'

/** What becomes of one request to a rented cloud. */
export type RentedFate =
  | 'answered'
  /** Too many requests, with and without a word about how long to wait. */
  | 'throttled'
  | 'throttled-silently'
  | 'broken-before'
  /** Done, and answered with a 500; done, and refused in part; done, and something in front of it answers. */
  | 'broken-after'
  | 'partial'
  | 'garbled'
  /** Done, and the connection is cut. */
  | 'lost'
  /** Done long after the caller gave up. */
  | 'late'
  /** Never done, and never answered. */
  | 'hung'
  | 'unreachable'
  | 'expired'

/** Something that is wrong with a rented cloud, for a while or once. */
export type RentedTrouble =
  | {
      readonly kind: 'replies'
      readonly fate: RentedFate
      /** Left out: whatever is asked. */
      readonly call?: FakeCall | undefined
      readonly rate: number
    }
  /** Lists do not show what was created for this share of the time that is declared. */
  | { readonly kind: 'lag'; readonly share: number }
  | { readonly kind: 'empty' }
  | { readonly kind: 'quota'; readonly quota: number }
  | { readonly kind: 'poor' }
  | { readonly kind: 'price'; readonly factor: number }
  | { readonly kind: 'revoked' }
  /** The next machine never comes up. */
  | { readonly kind: 'breaks' }
  /** A person removes a machine. */
  | { readonly kind: 'person'; readonly pick: number }
