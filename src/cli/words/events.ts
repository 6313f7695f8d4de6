import type { Refusal } from '../../core/offer/offer.ts'
import type { EventEntry, EventKind, Facts } from '../../core/event/event.ts'
import type { FaultClass } from '../../core/life/call/fault.ts'
import type { Leaving } from '../../core/life/placement.ts'
import { perHour } from './words.ts'
import { many, lasting, plain } from '../../core/base/words.ts'

/** What happened, in words, to follow the event's kind. Missing facts are left out, never guessed. */
export function eventText({ kind, facts, atMs }: Pick<EventEntry, 'kind' | 'facts' | 'atMs'>): string {
  // Events outlive the version that wrote them, so an event of an unknown kind is shown with its own text.
  return plain(Object.hasOwn(SENTENCES, kind) ? SENTENCES[kind]({ facts, atMs }) : unknownKind(facts))
}

function unknownKind(facts: Facts): string {
  const said = text(facts, 'text', 'message') ?? why(facts)
  return joined([`${slot(facts)}${on(facts)}`, said], ': ')
}

interface Told {
  readonly facts: Facts
  readonly atMs: number
}

/** A sentence for each kind; a new kind does not compile without one. */
export const SENTENCES: Readonly<Record<EventKind, (told: Told) => string>> = {
  accepted: ({ facts }) => joined([replicas(facts), by(facts), template(facts)], ', ') || 'it is to run from now on',
  changed: ({ facts }) => joined([whatChanged(facts), generation(facts), by(facts)], ', '),
  scaled: ({ facts }) => joined([scaledTo(facts), by(facts)], ', '),
  placed: ({ facts }) => joined([`${slot(facts)}${on(facts)}`, hardware(facts), price(facts)], ', ') + because(facts),
  launched: ({ facts }) => `${slot(facts)} was accepted${place(facts, ' by ')}${as(facts)}`,
  refused: ({ facts, atMs }) =>
    joined([`${slot(facts)}${place(facts, ' by ')}: ${fault(facts)}`, until(facts, atMs)], '; '),
  unknown: ({ facts }) =>
    `it is not known whether ${slot(facts)} was started${on(facts)}${said(facts)}; its place stays reserved until it is`,
  adopted: ({ facts }) => `${slot(facts)} was found running${as(facts)}${on(facts)} and is kept`,
  up: ({ facts }) =>
    text(facts, 'provider') === undefined
      ? `${slot(facts)} answers its health check`
      : joined([`${slot(facts)} runs${on(facts)}`, addresses(facts)], ', '),
  unhealthy: ({ facts }) => `${slot(facts)}${on(facts)} does not answer its health check${said(facts)}`,
  slow: ({ facts }) => `${slot(facts)}${on(facts)} is still starting after ${count(facts, 'minutes') ?? '?'} min`,
  ended: ({ facts }) => `${slot(facts)}${on(facts)}: ${exit(facts) ?? 'exit code unknown'}`,
  died: ({ facts }) => `${slot(facts)}${on(facts)}: ${exit(facts) ?? why(facts) ?? 'cause unknown'}`,
  preempted: ({ facts }) => `${slot(facts)} was preempted${place(facts, ' by ')}`,
  stopping: ({ facts }) => (isSlot(facts) ? joined([`${slot(facts)}${on(facts)}`, why(facts)], ': ') : leaving(facts)),
  stopped: ({ facts }) => joined([`${slot(facts)}${on(facts)}`, why(facts)], ': ') + '; it is no longer billed',
  waiting: ({ facts, atMs }) =>
    joined(
      [text(facts, 'text', 'why', 'message') ?? codeWords(facts) ?? 'there is no place for it now', next(facts, atMs)],
      '; ',
    ),
  'gave-up': ({ facts }) => joined([slot(facts), failures(facts), why(facts) ?? exit(facts)], ', '),
  done: ({ facts }) => joined([slot(facts) + ' has finished', completions(facts)], ', '),
  failed: ({ facts }) => why(facts) ?? exit(facts) ?? text(facts, 'text', 'message') ?? 'cause unknown',
  removed: ({ facts }) => joined(['nothing of it is left', by(facts)], ', '),
  drained: ({ facts }) => `${slot(facts)} leaves${place(facts, ' ')}, which is being drained`,
  orphan: ({ facts }) =>
    `an instance that belongs to no workload was found${as(facts)}${on(facts)}; it is being stopped`,
  'set-aside': ({ facts }) =>
    `it cannot be processed: ${why(facts) ?? text(facts, 'text', 'message') ?? '?'}; other workloads are not affected`,
  'provider-down': ({ facts }) => joined([`it does not answer${said(facts)}`, 'what runs there keeps running'], '; '),
  'provider-up': ({ facts }) => joined(['it answers again', silent(facts)], ', '),
}

/** The classes of provider faults, in words. */
export const FAULT_WORDS: Readonly<Record<FaultClass, string>> = {
  SOLD_OUT: 'sold out',
  OFFER_GONE: 'no longer offered at this price',
  NO_MATCHING_SHAPE: 'has no machine of this shape',
  QUOTA: 'the account’s quota is used up',
  BILLING: 'the account cannot be billed',
  AUTH: 'the credential was not accepted',
  BAD_REQUEST: 'the request is invalid',
  RATE_LIMIT: 'its rate limit is reached',
  TRANSIENT: 'a temporary fault on its side',
  AMBIGUOUS: 'no clear answer',
}

/** Why a placement leaves, in words. */
export const LEAVING_WORDS: Readonly<Record<Leaving, string>> = {
  refused: 'refused by the provider',
  absent: 'it was never started',
  exited: 'it ended by itself',
  died: 'it died',
  preempted: 'the provider preempted it',
  unhealthy: 'it did not answer its health check',
  'scaled-down': 'fewer replicas are wanted',
  stopped: 'stopped by its user',
  removed: 'removed by its user',
  replaced: 'a new attempt takes its place',
  drained: 'its provider is being drained',
  gang: 'another node of its gang is gone',
  'too-expensive': 'it costs more than its limit',
  'too-long': 'it reached its time limit',
  late: 'it took too long to start',
  finished: 'all completions are done',
  over: 'the workload has ended',
}

/** The words for a fault class, a cause of leaving or a waiting code; anything else is returned as it is. */
export function reasonWords(code: string): string {
  const words: Readonly<Record<string, string>> = {
    ...FAULT_WORDS,
    ...LEAVING_WORDS,
    ...WAITING_WORDS,
    ...REFUSAL_WORDS,
  }
  return Object.hasOwn(words, code) ? (words[code] ?? code) : code
}

/** Why a place is not asked for a while. */
const REFUSAL_WORDS: Readonly<Record<Refusal['why'], string>> = {
  'sold-out': FAULT_WORDS.SOLD_OUT,
  quota: FAULT_WORDS.QUOTA,
  fault: FAULT_WORDS.TRANSIENT,
}

/** Waiting codes that are not reasons of a plan. */
const WAITING_WORDS = {
  QUOTA_PROJECT: 'the project’s quota of GPUs is used up',
  BUDGET_PROJECT: 'the project’s budget per hour is used up',
  PLAN_STALE: 'what was planned is no longer available',
  BACKOFF: 'it failed and will be tried again later',
} as const

function joined(parts: readonly (string | undefined)[], between: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between)
}

/** The first of these facts that is present, as text. */
function text(facts: Facts, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(facts, name) ? facts[name] : undefined
    if (value !== undefined && value !== null && value !== '') return String(value)
  }
  return undefined
}

function count(facts: Facts, ...names: readonly string[]): number | undefined {
  const said = text(facts, ...names)
  const value = said === undefined ? Number.NaN : Number(said)
  return Number.isFinite(value) ? value : undefined
}

function slot(facts: Facts): string {
  return text(facts, 'slot', 'replica') ?? 'it'
}

function isSlot(facts: Facts): boolean {
  return text(facts, 'slot', 'replica') !== undefined
}

/** A whole workload is stopped at a user's request. */
function leaving(facts: Facts): string {
  const what = text(facts, 'remove') === 'true' ? 'all of it is stopped, then removed' : 'all of it is stopped'
  return joined([what, why(facts), by(facts)], ', ')
}

function place(facts: Facts, before: string): string {
  const provider = text(facts, 'provider')
  const region = text(facts, 'zone', 'region')
  if (provider === undefined) return ''
  return `${before}${provider}${region === undefined || region === provider ? '' : `/${region}`}`
}

function on(facts: Facts): string {
  return place(facts, ' on ')
}

function as(facts: Facts): string {
  const instance = text(facts, 'instance', 'id')
  return instance === undefined ? '' : ` as ${instance}`
}

function price(facts: Facts): string | undefined {
  const usd = count(facts, 'usd_per_hour', 'usdPerHour')
  return usd === undefined ? undefined : perHour(usd)
}

function hardware(facts: Facts): string | undefined {
  const cards = count(facts, 'gpus', 'gpu_count')
  return text(facts, 'hardware') ?? (cards === undefined || cards === 0 ? undefined : many(cards, 'GPU'))
}

function because(facts: Facts): string {
  const said = text(facts, 'because', 'why')
  return said === undefined ? '' : ` (${said})`
}

function by(facts: Facts): string | undefined {
  const actor = text(facts, 'by', 'actor')
  return actor === undefined ? undefined : `by ${actor}`
}

function template(facts: Facts): string | undefined {
  const name = text(facts, 'template')
  const version = text(facts, 'version', 'template_version')
  return name === undefined ? undefined : `from template ${name}${version === undefined ? '' : `@${version}`}`
}

/** What changed, for workloads, providers, policies and projects. */
function whatChanged(facts: Facts): string {
  const state = text(facts, 'state')
  const objective = text(facts, 'objective')
  if (state !== undefined) return Object.hasOwn(PROVIDER_WORDS, state) ? (PROVIDER_WORDS[state] ?? state) : state
  if (objective !== undefined) return `its objective is ${objective}`
  if (['gpus_max', 'usd_per_hour_max', 'workloads_max'].some((limit) => Object.hasOwn(facts, limit)))
    return 'its limits'
  return text(facts, 'what', 'change') ?? (Object.hasOwn(facts, 'kind') ? 'its settings' : 'the manifest')
}

/** The new state of a provider, in words. */
const PROVIDER_WORDS: Readonly<Record<string, string>> = {
  open: 'takes new work again',
  cordoned: 'takes no new work',
  draining: 'takes no new work and is being drained',
  removing: 'is being removed',
}

function generation(facts: Facts): string | undefined {
  const said = text(facts, 'generation')
  return said === undefined ? undefined : `generation ${said}`
}

function replicas(facts: Facts): string | undefined {
  const wanted = count(facts, 'replicas', 'total', 'slots')
  return wanted === undefined ? undefined : many(wanted, 'replica')
}

function scaledTo(facts: Facts): string {
  const role = text(facts, 'role')
  const before = count(facts, 'from', 'before')
  const after = count(facts, 'to', 'replicas', 'after')
  const who = role === undefined ? '' : `${role} `
  const from = before === undefined ? '' : `from ${before} `
  return after === undefined ? `${who}to another number` : `${who}${from}to ${many(after, 'replica')}`
}

function fault(facts: Facts): string {
  const code = text(facts, 'class', 'code', 'fault', 'why')
  const words = code === undefined ? undefined : reasonWords(code)
  const message = text(facts, 'message', 'text')
  if (message === undefined || message === words) return words ?? '?'
  // The message about an invalid request is ours; messages of other faults are the provider's and are quoted.
  return code === 'BAD_REQUEST' ? `${words}: ${message}` : joined([words, `“${message}”`], ', ')
}

function said(facts: Facts): string {
  const known = text(facts, 'message', 'text', 'class', 'why')
  return known === undefined ? '' : ` (${reasonWords(known)})`
}

function until(facts: Facts, atMs: number): string | undefined {
  const end = count(facts, 'until_ms', 'until', 'untilMs', 'expires_ms')
  const ttl = count(facts, 'ttl_ms', 'ttlMs') ?? (end === undefined ? undefined : end - atMs)
  return ttl === undefined || ttl <= 0 ? undefined : `remembered for ${lasting(ttl)}`
}

function why(facts: Facts): string | undefined {
  const said = text(facts, 'why', 'because', 'reason')
  return said === undefined ? undefined : reasonWords(said)
}

function codeWords(facts: Facts): string | undefined {
  const code = text(facts, 'code')
  return code === undefined ? undefined : reasonWords(code)
}

function next(facts: Facts, atMs: number): string | undefined {
  const look = count(facts, 'next_look_ms', 'nextLookMs', 'next_ms')
  return look === undefined || look <= atMs ? undefined : `next look in ${lasting(look - atMs)}`
}

function addresses(facts: Facts): string | undefined {
  const said = text(facts, 'address', 'ports', 'url')
  return said === undefined ? undefined : `at ${said}`
}

function exit(facts: Facts): string | undefined {
  const code = text(facts, 'exit_code', 'exitCode', 'code')
  const signal = text(facts, 'signal')
  const whole = text(facts, 'exit')
  if (code !== undefined) return /^-?\d+$/.test(code) ? `exit code ${code}` : reasonWords(code)
  return signal === undefined ? whole : `killed by ${signal}`
}

function failures(facts: Facts): string | undefined {
  const times = count(facts, 'failures', 'restarts', 'tries')
  return times === undefined ? undefined : `after ${many(times, 'failure')}`
}

function completions(facts: Facts): string | undefined {
  const ended = count(facts, 'completed', 'completions')
  return ended === undefined ? undefined : many(ended, 'completion')
}

function silent(facts: Facts): string | undefined {
  const ms = count(facts, 'down_ms', 'downMs', 'silent_ms')
  return ms === undefined ? undefined : `after ${lasting(ms)}`
}
