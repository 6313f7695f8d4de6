import type { Calls, RouteReply, RouteRequest } from '../api/call.ts'

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

export type Info = RouteReply<'info'>
export type OffersQuery = RouteRequest<'offers'>
export type OffersListed = RouteReply<'offers'>
export type OffersFound = RouteReply<'searchOffers'>
export type OffersHistory = RouteReply<'offersHistory'>
export type Preview = RouteReply<'preview'>
export type Rendered = RouteReply<'render'>
export type RevisionView = RouteReply<'history'>['items'][number]
export type ExecResult = RouteReply<'exec'>
export type ApplyRequest = RouteRequest<'apply'>
/** The price that the user confirmed, by role. */
export type AgreedPrice = NonNullable<ApplyRequest['agreed']>
export type Applied = RouteReply<'apply'>
export type Explanation = RouteReply<'explain'>
export type RefusalView = Explanation['refusals'][number]
export type ListQuery = RouteRequest<'workloads'>
export type EventsQuery = RouteRequest<'events'>
/** An event as the API tells it. */
export type EventView = RouteReply<'events'>
export type LogsQuery = Omit<RouteRequest<'logs'>, keyof At>
/** A line of a log, with its slot and attempt. */
export type SlotLine = RouteReply<'logs'>
export type ProviderView = RouteReply<'providers'>['items'][number]
export type ProviderCheck = RouteReply<'testProvider'>['items'][number]
export type ProjectView = RouteReply<'projects'>['items'][number]
export type ProjectChange = Omit<RouteRequest<'setProject'>, 'project'>
export type PolicyView = RouteReply<'policies'>['items'][number]
export type NewToken = RouteRequest<'createToken'>
export type TokenView = RouteReply<'tokens'>['items'][number]
export type RotationView = RouteReply<'rotateSecrets'>
export type SecretView = RouteReply<'setSecret'>
export type TemplateView = RouteReply<'template'>
export type CostView = RouteReply<'cost'>
export type AuditView = RouteReply<'audit'>['items'][number]
