import type { SourcedProblem } from '../core/base/problem.ts'
import type { AttemptView } from '../core/event/attempts.ts'
import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import type { Project, ProviderRow, RoleName } from '../core/life/rows.ts'
import type { TemplateParameter } from '../core/template/parameter.ts'
import type { WorkloadView } from '../core/life/view/view.ts'
import type { FieldChange } from '../core/manifest/difference.ts'
import type { OfferReport } from '../core/place/explain/offer-report.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import type { LogLine } from './provider.ts'

/**
 * A running control plane, as the CLI and other callers see it; the typed client speaks HTTP behind it. An invalid request
 * rejects with a UserError (what, where, how to go on); an unreachable control plane, with CONTROL_PLANE_UNREACHABLE. The
 * client may repeat reads. Changes carry an idempotency key, so it may repeat them, too.
 */
export interface Berth {
  readonly info: () => Promise<Info>
  /** The plan of a manifest over what the providers of this control plane offer now. It changes nothing. */
  readonly plan: (request: PlanRequest) => Promise<PlanReport>
  /** What the providers offer now, limited to what the project may use. */
  readonly offers: (query: OffersQuery) => Promise<OffersListed>
  /** Every offer that meets a manifest, cheapest first. It changes nothing. */
  readonly searchOffers: (request: OffersSearch) => Promise<OffersFound>
  /** What applying a manifest would change. It changes nothing. */
  readonly preview: (request: PreviewRequest) => Promise<Preview>
  readonly apply: (request: ApplyRequest) => Promise<Applied>
  readonly workloads: (query: ListQuery) => Promise<Paged<WorkloadView>>
  readonly workload: (at: At) => Promise<WorkloadView>
  /** The manifest as it was applied. */
  readonly manifest: (at: At) => Promise<{ readonly text: string; readonly generation: number }>
  /** The current manifest and the last few before it, newest first. */
  readonly history: (at: At) => Promise<readonly RevisionView[]>
  readonly explain: (at: At) => Promise<Explanation>
  readonly scale: (
    at: At,
    scale: { readonly role: string | undefined; readonly replicas: number },
  ) => Promise<WorkloadView>
  readonly stop: (at: At) => Promise<WorkloadView>
  /** Runs a workload again that has ended, unchanged. */
  readonly rerun: (at: At) => Promise<WorkloadView>
  /** Runs a program next to a running slot. It has no input; its output and its time are limited. */
  readonly exec: (at: At, request: ExecRequest) => Promise<ExecResult>
  readonly remove: (at: At) => Promise<WorkloadView>
  /** Ends if `follow` is false and there are no more events. A dropped connection resumes where it broke. */
  readonly events: (query: EventsQuery, signal: AbortSignal) => AsyncIterable<EventEntry>
  readonly logs: (at: At, query: LogsQuery, signal: AbortSignal) => AsyncIterable<SlotLine>
  /** The attempts so far, oldest first; limited in number. */
  readonly attempts: (at: At) => Promise<readonly AttemptView[]>
  readonly audit: (query: ListQuery) => Promise<Paged<AuditEntry>>

  readonly providers: () => Promise<readonly ProviderView[]>
  readonly addProvider: (
    name: string,
    provider: {
      readonly kind: string
      readonly settings: Readonly<Record<string, unknown>>
      /** Name of a secret of the platform. */
      readonly credential?: string
    },
  ) => Promise<ProviderView>
  readonly testProvider: (name: string) => Promise<readonly ProviderCheck[]>
  /** `open`, `cordoned` or `draining`. */
  readonly setProvider: (name: string, state: 'open' | 'cordoned' | 'draining') => Promise<ProviderView>
  readonly removeProvider: (name: string) => Promise<ProviderView>

  readonly policies: () => Promise<readonly PolicyView[]>
  /** `settings`: as under `policies.NAME` in an infrastructure file. */
  readonly setPolicy: (name: string, settings: Readonly<Record<string, unknown>>) => Promise<PolicyView>
  readonly removePolicy: (name: string) => Promise<void>

  readonly projects: () => Promise<readonly ProjectView[]>
  readonly setProject: (name: string, limits: Project) => Promise<void>

  readonly tokens: () => Promise<readonly TokenView[]>
  /** The token itself is returned only here. */
  readonly createToken: (
    token: NewToken,
  ) => Promise<TokenView & { readonly token: string; readonly note?: string | undefined }>
  readonly removeToken: (name: string) => Promise<void>

  readonly secrets: (project: string) => Promise<readonly SecretView[]>
  readonly setSecret: (at: At, value: string) => Promise<SecretView>
  readonly removeSecret: (at: At) => Promise<void>
  /** Secrets that open providers. No project and no manifest can read them. */
  readonly platformSecrets: () => Promise<readonly SecretView[]>
  /** Value undefined: moves the secret that project `default` has from an older version. */
  readonly setPlatformSecret: (name: string, value: string | undefined) => Promise<SecretView>
  readonly removePlatformSecret: (name: string) => Promise<void>
  /** Encrypts every secret and credential under a new key of the control plane. */
  readonly rotateSecrets: (idempotencyKey: string) => Promise<RotationView>

  readonly templates: (project: string) => Promise<readonly TemplateView[]>
  /** Version undefined: the newest. */
  readonly template: (at: At, version: number | undefined) => Promise<TemplateView>
  /** A text that equals the newest version creates no new one. */
  readonly pushTemplate: (at: At, text: string) => Promise<TemplateView>
  readonly removeTemplate: (at: At, version: number | undefined) => Promise<void>
  /** The manifest that a launch would apply. It changes nothing. */
  readonly render: (request: Omit<LaunchRequest, 'idempotencyKey'>) => Promise<Rendered>
  readonly launch: (request: LaunchRequest) => Promise<Applied>
}

/** A named object of a project. */
export interface At {
  readonly project: string
  readonly name: string
}

export interface Info {
  readonly version: string
  readonly owner: string
  readonly leader: boolean
  readonly term: number
  readonly store: 'memory' | 'sqlite' | 'postgres'
  readonly now_ms: number
}

interface ManifestRequest {
  readonly project: string
  /** The manifest as written; problems name `file` as their place. */
  readonly text: string
  readonly file: string
}

export interface PlanRequest extends ManifestRequest {
  /** Manifests to plan before it, in this order: each takes its room first. */
  readonly before?: readonly { readonly text: string; readonly file: string }[] | undefined
  /** Overrides what the manifests say. */
  readonly spot?: 'never' | 'allowed' | 'only' | undefined
}

export interface OffersQuery {
  readonly project: string
  readonly provider?: string | undefined
  /** Ids of accelerators or of families. */
  readonly gpus?: readonly string[] | undefined
  readonly sort?: 'price' | 'provider' | undefined
  readonly limit?: number | undefined
}

export interface OffersListed {
  /** All matches, including those that are not shown. */
  readonly matching: number
  readonly quarantined: number
  /** All providers with offers, whether they match or not. */
  readonly providers: readonly string[]
  readonly offers: readonly OfferReport[]
}

export interface OffersSearch extends ManifestRequest {
  /** Overrides what the manifest says. */
  readonly spot?: 'never' | 'allowed' | 'only' | undefined
  readonly limit?: number | undefined
}

export interface OffersFound {
  readonly offers: readonly OfferReport[]
  readonly plan: PlanReport
}

export interface PreviewRequest extends ManifestRequest, MayCreate {
  /** The template that the manifest was made from; undefined: none. */
  readonly template?: { readonly name: string; readonly version: number } | undefined
}

/** What applying a manifest would do. */
export interface Preview {
  /** `again`: nothing changes, but a failed workload is tried once more. */
  readonly outcome: 'create' | 'change' | 'unchanged' | 'again'
  /** State of the existing workload; undefined: there is none. */
  readonly state: WorkloadView['state'] | undefined
  readonly changes: readonly FieldChange[]
  /** Number of replicas by what happens to them. A gang counts as one. */
  readonly replicas: {
    readonly replaced: number
    readonly kept: number
    readonly added: number
    readonly removed: number
  }
  /** Parts of the manifest that have no effect. Left out: none, or the control plane is older. */
  readonly warnings?: readonly SourcedProblem[] | undefined
}

/** The manifest of a template with its values filled in. */
export interface Rendered {
  readonly name: string
  readonly version: number
  readonly text: string
  /** Problems of the text name this as their place. */
  readonly file: string
}

/** A current or earlier manifest. */
export interface RevisionView {
  readonly generation: number
  readonly text: string
  readonly at_ms: number
  /** Whether it was at some time up and healthy in every slot; left out: not known. */
  readonly stood?: boolean | undefined
}

export interface ExecRequest {
  /** Undefined: the only running slot. */
  readonly slot: string | undefined
  readonly command: readonly string[]
  readonly timeout_ms: number
}

export interface ExecResult {
  readonly slot: string
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Whether the project may be a new one; otherwise PROJECT_UNKNOWN. */
interface MayCreate {
  readonly createProject?: boolean | undefined
}

export interface ApplyRequest extends ManifestRequest, MayCreate {
  /** Exactly these places, or a refusal (PLAN_STALE). */
  readonly pinned?: readonly { readonly slot: string; readonly offer: string; readonly usdPerHour: number }[]
  /** Requests with the same key count as one, however often they arrive. */
  readonly idempotencyKey: string
}

export interface Applied {
  readonly outcome: 'created' | 'changed' | 'unchanged'
  readonly workload: WorkloadView
  /** As in a preview. */
  readonly warnings?: readonly SourcedProblem[] | undefined
}

export interface LaunchRequest {
  readonly project: string
  readonly template: string
  readonly version: number | undefined
  /** Name of the workload; undefined: the name in the template's manifest. */
  readonly name: string | undefined
  readonly set: Readonly<Record<string, string>>
  readonly idempotencyKey: string
}

/** Why a workload is where it is, or why it has no place. */
export interface Explanation {
  readonly workload: WorkloadView
  /** A decision made now for the slots without a place; undefined: all have one. */
  readonly plan: PlanReport | undefined
  /** Recent refusals by providers that are still remembered. */
  readonly refusals: readonly RefusalView[]
  /** What differs from the current rules of the project, in sentences. */
  readonly notes?: readonly string[]
  readonly events: readonly EventEntry[]
  /** The attempts so far, oldest first; limited in number. */
  readonly attempts?: readonly AttemptView[] | undefined
  /** The current hourly price of the offer of each slot; a slot is left out if no provider offers it any more. */
  readonly prices_now?: Readonly<Record<string, number>> | undefined
}

export interface RefusalView {
  readonly provider: string
  readonly region: string | undefined
  readonly instance: string | undefined
  readonly why: string
  readonly at_ms: number
  readonly until_ms: number
}

export interface ListQuery {
  readonly project?: string | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

export interface Paged<T> {
  readonly items: readonly T[]
  /** Pass it as `after` to get the next page; undefined: this was the last. */
  readonly next: string | undefined
}

export interface EventsQuery {
  readonly project: string | undefined
  /** Name of a workload; undefined: all. */
  readonly workload: string | undefined
  readonly after: number
  readonly follow: boolean
  /** Only this many of the latest existing entries; later ones follow in any case. */
  readonly tail?: number | undefined
  /** Only events from this time on. */
  readonly since_ms?: number | undefined
}

export interface LogsQuery {
  readonly slot: string | undefined
  readonly follow: boolean
  readonly tail: number | undefined
  /** `previous` (the one before the last), the number of an attempt, or its id; undefined: the last attempt of each slot. */
  readonly attempt?: string | undefined
  /** Only lines from this time on, as far as the provider knows times. */
  readonly since_ms?: number | undefined
}

/** A line of a log, with its slot and attempt. */
export interface SlotLine extends LogLine {
  readonly slot: string
  /** Number of the attempt, from 1; undefined: the control plane is older. */
  readonly attempt?: number | undefined
}

export interface ProviderView {
  readonly name: string
  readonly kind: string
  /** `unconfigured`: it holds work of ours, but is no longer configured. `removed`: the answer to a completed removal. */
  readonly state: ProviderRow['state'] | 'unconfigured' | 'removed'
  /**
   * `file`: from the infrastructure file; `api`: added through the API; `built-in`: there is no file, so this host is used;
   * `unknown`: it is not configured.
   */
  readonly origin: 'built-in' | 'file' | 'api' | 'unknown'
  /** Undefined: it has not been called yet. */
  readonly reachable: boolean | undefined
  readonly last_answer_ms: number | undefined
  readonly last_fault: string | undefined
  readonly offers: number
  readonly instances: number
  readonly usd_per_hour: number
  /** How to fix it; left out: there is nothing to fix. */
  readonly hint?: string
}

export interface ProviderCheck {
  readonly check: string
  readonly ok: boolean
  readonly text: string
  readonly took_ms: number
}

/** A project: what it may use, and what it uses. */
export interface ProjectView extends Project {
  readonly name: string
  /** Counts what runs or may run; left out by older control planes. */
  readonly used?: { readonly gpus: number; readonly usd_per_hour: number; readonly workloads: number }
}

export interface PolicyView {
  readonly name: string
  readonly origin: 'built-in' | 'file' | 'api'
  readonly settings: Readonly<Record<string, unknown>>
}

export interface NewToken {
  readonly name: string
  readonly role: RoleName
  readonly projects: readonly string[]
  readonly ttl_ms: number
}

export interface TokenView {
  readonly name: string
  readonly role: RoleName
  readonly projects: readonly string[]
  readonly created_ms: number
  readonly expires_ms: number
}

export interface RotationView {
  /** Id of the key that encrypts everything now, as the first line of the key file has it. */
  readonly key: string
  /** How many secrets of projects are encrypted with it, and how many credentials of the platform. */
  readonly secrets: number
  readonly credentials: number
  /** What could not be decrypted and was left as it is; project `*`: of the platform. */
  readonly unopened: readonly At[]
}

export interface SecretView {
  readonly name: string
  readonly version: number
  readonly created_ms: number
}

export interface TemplateView {
  readonly name: string
  readonly version: number
  readonly text: string
  readonly parameters: readonly TemplateParameter[]
  readonly created_ms: number
  readonly created_by: string
}
