import type { TemplateParameter } from '../template/parameter.ts'
import type { Policy } from '../policy/policy.ts'
import type { ProjectRules } from '../policy/project-settings.ts'
import type { MarketRow } from '../offer/market.ts'
import type { Refusal } from '../offer/offer.ts'
import type { Bill } from './bill.ts'
import type { Placement } from './placement.ts'
import type { Status } from './status.ts'
import type { Workload } from './workload.ts'

/**
 * Every kind of row in the store and what it holds. Keys are texts of at most 512 characters. Their parts are joined by `/`
 * and contain no `/`. Bodies are plain JSON: no undefined in arrays, no NaN, no dates.
 */
interface RowBodies {
  /** `PROJECT/NAME`. Written by the service that answers users; the controller only deletes it, at the very end. */
  readonly workload: Workload
  /** `PROJECT/NAME`. Written by the leader only. */
  readonly status: Status
  /** `PROJECT/NAME/SLOT`: the one place of a slot. Written by the leader only. One row per slot, so no slot has two places. */
  readonly placement: Placement
  /** `PROVIDER/REGION/INSTANCE/WHY` with `*` for any. Written by the leader only. */
  readonly refusal: Refusal
  /** `PROJECT/TIME/ATTEMPT`: what a rented machine cost. Written by the leader only, with the end of the placement. */
  readonly bill: Bill
  /** `PROVIDER/REGION/MACHINE`: price and stock over time. Written by the leading process only. */
  readonly market: MarketRow
  /** `PROJECT`. */
  readonly project: Project
  /** `NAME`. */
  readonly provider: ProviderRow
  /** `NAME`. */
  readonly policy: Policy
  /** `NAME`. */
  readonly token: TokenRow
  /** `PROJECT/NAME`. */
  readonly secret: SecretRow
  /** `PROJECT/NAME/VERSION`, the version padded to six digits so that keys sort. */
  readonly template: TemplateRow
  /** `PROJECT/KEY`: answers to requests that carried an idempotency key. */
  readonly request: RequestRow
  /** `NAME`: small facts about this installation, such as the owner's uid in every tag. */
  readonly setting: SettingRow
}

export type RowKind = keyof RowBodies
export type RowBody<K extends RowKind> = RowBodies[K]

/** Everything belongs to a project; undefined: no limit. Its rules are left out where it may use the whole platform. */
export interface Project extends ProjectRules {
  readonly gpusMax: number | undefined
  readonly usdPerHourMax: number | undefined
  readonly workloadsMax: number | undefined
}

/** A provider that was added through the API. Its credential is a secret, by name. */
export interface ProviderRow {
  readonly kind: string
  /** As the schema of the kind reads it. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Name of a secret of the platform; left out: it needs none. */
  readonly credential?: string
  /**
   * `open`: takes new work. `cordoned`: takes none. `draining`: takes none, and running work moves away where its policy says
   * so.
   */
  readonly state: 'open' | 'cordoned' | 'draining' | 'removing'
}

/** `reader` reads. `writer` also changes workloads, templates and secrets of its projects. `admin` changes everything. */
export type RoleName = 'reader' | 'writer' | 'admin'

export interface TokenRow {
  /** SHA-256 of the secret part, hexadecimal; the token itself is shown once and never stored. */
  readonly hash: string
  readonly role: RoleName
  /** Projects that it may access; `*`: all. */
  readonly projects: readonly string[]
  readonly createdMs: number
  readonly expiresMs: number
}

/** Sealed by the vault. The sealed value is bound to project, name and version. */
export interface SecretRow {
  readonly version: number
  readonly sealed: string
  readonly createdMs: number
}

export interface TemplateRow {
  readonly version: number
  /** The manifest as written, with `${parameter}` in place of values. */
  readonly text: string
  readonly parameters: readonly TemplateParameter[]
  readonly createdMs: number
  readonly createdBy: string
}

export interface RequestRow {
  /** Fingerprint of method, path and body: the same key with another request is refused. */
  readonly fingerprint: string
  readonly status: number
  readonly body: string
  readonly createdMs: number
}

/** A small fact about this installation. */
export interface SettingRow {
  readonly value: string
}

/** Stands for the project of what belongs to no project. Only callers with access to all projects see it. */
export const EVERYWHERE = '*'
