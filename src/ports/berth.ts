import type { Calls, Reply, Request } from '../api/call.ts'

/**
 * A running control plane, as the CLI and other callers see it; the typed client speaks HTTP behind it. Its methods are the
 * routes of the API, and their types follow from the route table. An invalid request rejects with a UserError (what, where,
 * how to go on); an unreachable control plane, with CONTROL_PLANE_UNREACHABLE. The client may repeat reads. Changes carry
 * an idempotency key, so it may repeat them, too. A stream ends if `follow` is false and there is no more; a dropped
 * connection resumes where it broke.
 */
export type Berth = Calls

/** A named object of a project. */
export interface At {
  readonly project: string
  readonly name: string
}

/** One page of a list. */
export interface Paged<T> {
  readonly items: readonly T[]
  /** Pass it as `after` to get the next page; left out: this was the last. */
  readonly next?: string | undefined
}

export type Info = Reply<'info'>
export type OffersQuery = Request<'offers'>
export type OffersListed = Reply<'offers'>
export type OffersFound = Reply<'searchOffers'>
export type Preview = Reply<'preview'>
export type Rendered = Reply<'render'>
export type RevisionView = Reply<'history'>['items'][number]
export type ExecResult = Reply<'exec'>
export type ApplyRequest = Request<'apply'>
export type Applied = Reply<'apply'>
export type Explanation = Reply<'explain'>
export type RefusalView = Explanation['refusals'][number]
export type ListQuery = Request<'workloads'>
export type EventsQuery = Request<'events'>
/** An event as the API tells it. */
export type EventView = Reply<'events'>
export type LogsQuery = Omit<Request<'logs'>, keyof At>
/** A line of a log, with its slot and attempt. */
export type SlotLine = Reply<'logs'>
export type ProviderView = Reply<'providers'>['items'][number]
export type ProviderCheck = Reply<'testProvider'>['items'][number]
export type ProjectView = Reply<'projects'>['items'][number]
export type ProjectLimits = Omit<Request<'setProject'>, 'project'>
export type PolicyView = Reply<'policies'>['items'][number]
export type NewToken = Request<'createToken'>
export type TokenView = Reply<'tokens'>['items'][number]
export type RotationView = Reply<'rotateSecrets'>
export type SecretView = Reply<'setSecret'>
export type TemplateView = Reply<'template'>
export type AuditView = Reply<'audit'>['items'][number]
