import { lasting, plain } from '../../core/base/words.ts'
import { exitText } from '../../core/life/leave.ts'
import type { SlotView, WorkloadView } from '../../core/life/view/view.ts'
import { perHour } from './words.ts'

/** How long ago, for a column: relative up to a day, then the date. */
export function sinceShort(atMs: number | undefined, nowMs: number): string {
  if (atMs === undefined) return '?'
  return nowMs - atMs < DAY_MS ? lasting(nowMs - atMs) : new Date(atMs).toISOString().slice(0, 10)
}

/** `3 h ago`; date and time when it is more than a day ago. */
export function ago(atMs: number | undefined, nowMs: number): string {
  if (atMs === undefined) return 'never'
  if (nowMs - atMs < DAY_MS) return nowMs - atMs < 1000 ? 'now' : `${lasting(nowMs - atMs)} ago`
  return new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')
}

/** `10:05:07Z`; date and time when it is more than a day ago. */
export function clockTime(atMs: number, nowMs: number): string {
  return nowMs - atMs < DAY_MS ? `${new Date(atMs).toISOString().slice(11, 19)}Z` : ago(atMs, nowMs)
}

/** `in 40 s`, `now`; the date when it is more than a day away. */
export function until(atMs: number, nowMs: number): string {
  if (atMs <= nowMs) return 'now'
  return atMs - nowMs < DAY_MS ? `in ${lasting(atMs - nowMs)}` : `on ${new Date(atMs).toISOString().slice(0, 10)}`
}

const DAY_MS = 86_400_000

/** Where a slot is: `nebius/eu-north1`. */
export function slotPlace({ provider, region }: Pick<SlotView, 'provider' | 'region'>): string {
  return plain(provider === region || region === '' ? provider : `${provider}/${region}`)
}

/** Where a workload runs: the first place and how many more. */
export function placesOf({ slots }: Pick<WorkloadView, 'slots'>): string {
  const places = [...new Set(slots.filter(({ phase }) => phase !== 'gone').map(slotPlace))]
  const [first = '-'] = places
  return places.length > 1 ? `${first} +${places.length - 1}` : first
}

/** Dollars per hour for a column; `-` where nothing is billed. */
export function priceCell(usd: number, isBilled: boolean): string {
  return isBilled ? perHour(usd).replace(/^\$|\/h$/g, '') : '-'
}

export function isBilled({ slots }: Pick<WorkloadView, 'slots'>): boolean {
  return slots.some(({ phase }) => phase !== 'gone')
}

/** What a slot is doing, in words. */
export function slotState(slot: SlotView, nowMs: number): string {
  if (slot.unseen === true && slot.phase !== 'gone') return `${slot.phase} when last seen`
  switch (slot.phase) {
    case 'reserved':
      return slot.tries === 0 ? 'asking the provider' : `asking again ${until(slot.next_try_ms, nowMs)}`
    case 'unknown':
      return 'it is not known yet whether it was started; its place is kept'
    case 'starting':
      return slot.queued === undefined ? 'launched, not up yet' : queuedText(slot.queued, nowMs)
    case 'running':
      return slot.healthy === false ? unhealthy(slot, nowMs) : 'running'
    case 'stopping':
      return stopping(slot, nowMs)
    case 'gone':
      return slot.exit === undefined ? 'gone' : `gone: ${plain(exitText(slot.exit))}`
  }
}

function queuedText({ since_ms: sinceMs, reason }: NonNullable<SlotView['queued']>, nowMs: number): string {
  const why = reason === '' ? '' : `: ${plain(reason)}`
  return `queued for ${lasting(Math.max(0, nowMs - sinceMs))}${why}`
}

/** Stopping takes some seconds and several requests; the details are shown only when it takes long. */
function stopping({ since_ms: sinceMs, tries }: SlotView, nowMs: number): string {
  if (nowMs - sinceMs < STOPS_WITHIN_MS || tries === 0) return 'stopping'
  return `stopping for ${lasting(nowMs - sinceMs)}, asked ${tries + 1} times`
}

const STOPS_WITHIN_MS = 60_000

/** A replica that has just started may need a moment; one that was ready does not become so. */
function unhealthy({ since_ms: sinceMs, was_healthy: wasHealthy }: SlotView, nowMs: number): string {
  if (wasHealthy === true) return 'running, no longer passes its health check (no answer with status 2xx)'
  return nowMs - sinceMs < 60_000
    ? 'running, not ready yet'
    : 'running, fails its health check (no answer with status 2xx)'
}

/** A workload as the next command names it: `llama-70b`, `llama-70b --project research`. */
export function named({ name, project }: Pick<WorkloadView, 'name' | 'project'>): string {
  return project === 'default' ? name : `${name} --project ${project}`
}

/** The state of a workload, and the reason if it is not fully up. */
export function stateText(view: WorkloadView, nowMs: number): string {
  const { state, waiting, end, set_aside: aside, problem } = view
  if (aside !== undefined) return `set aside: ${plain(aside)} (berth explain ${named(view)})`
  if (state === 'waiting' && waiting !== undefined)
    return `${waitingText(view)}; ${nextLook(waiting, nowMs)} (berth explain ${named(view)})`
  // Told to stop, and something stands in the way.
  if (state === 'stopping' && problem !== undefined) return `${state}: ${sentenceless(problem)}`
  if (end !== undefined && end.why !== '' && end.why !== state) return `${state}: ${plain(end.why)}`
  if (state === 'degraded' && waiting !== undefined) return `degraded: ${waitingText(view)}`
  const moving = `${rolledText(view)}${drainText(view)}`
  if (problem !== undefined && end === undefined) return `${state}${moving}: ${sentenceless(problem)}`
  // Everything is up, and what should follow has no place.
  if ((state === 'serving' || state === 'running') && waiting !== undefined && end === undefined)
    return `${state}${moving}: ${waitingText(view)}`
  const waits = view.slots.find(({ queued }) => queued !== undefined)
  if (state === 'queued' && waits?.queued !== undefined) {
    const others = view.slots.filter(({ queued }) => queued !== undefined).length - 1
    const more = others === 0 ? '' : ` and ${others} more`
    return `${waits.slot}${more} at ${plain(waits.provider)} ${queuedText(waits.queued, nowMs)}`
  }
  const unready = unreadyText(view, nowMs)
  if (unready !== undefined) return `${state}${moving}: ${unready}`
  return moving === '' ? state + comeback(view, nowMs) : `${state}${moving}`
}

/** Whether it moves away from what is drained, or stays there: a drain moves only work whose manifest says so. */
function drainText({ drained = [], leaves_on_drain: leaves, want, end }: WorkloadView): string {
  if (drained.length === 0 || want !== 'running' || end !== undefined) return ''
  const where = drained.map(plain).join(', ')
  return leaves === true ? `, leaving ${where} (drained)` : `, stays on ${where} (drained; migration.on has no drain)`
}

function rolledText(view: WorkloadView): string {
  if (rollingText(view) === undefined || view.stalled !== undefined) return ''
  return `, ${view.restarting === true ? 'restarting' : 'rolling out'} (${view.updated} of ${view.total})`
}

/** `1 of 3 on the new version` during a roll-out, `1 of 3 restarted` during a restart; undefined at other times. */
export function rollingText(view: WorkloadView): string | undefined {
  const { updated, ready, total, slots, want, restarting } = view
  if (updated === undefined || updated >= total || want !== 'running') return undefined
  const isOld = updated < ready || slots.some(({ phase, current }) => phase !== 'gone' && current === false)
  return isOld ? `${updated} of ${total} ${restarting === true ? 'restarted' : 'on the new version'}` : undefined
}

/** A stalled roll-out: why, what keeps running, and how to go back. */
export function stalledText(view: WorkloadView): string {
  const { name, stalled = '', updated = 0, ready, total } = view
  const old = Math.max(0, ready - updated)
  if (view.restarting === true) {
    const left = old === 0 ? '' : ` ${old} of ${total} ${old === 1 ? 'goes' : 'go'} on as before.`
    return `The restart of ${name} has stalled: ${sentenceless(stalled)}.${left}`
  }
  const rest = old === 0 ? '' : ` ${old} of ${total} ${old === 1 ? 'stays' : 'stay'} on the previous version.`
  return `The roll-out of ${name} has stalled: ${sentenceless(stalled)}.${rest}\nGo back with: berth rollback ${named(view)}`
}

/** How many are up; `?` when that cannot be seen. */
export function readyText({ ready, unseen = 0 }: WorkloadView): string {
  return ready === 0 && unseen > 0 ? '?' : String(ready)
}

/** Why a workload waits, with the cause where it is known. */
export function waitingText({ waiting, problem }: Pick<WorkloadView, 'waiting' | 'problem'>): string {
  if (waiting === undefined) return problem === undefined ? '' : sentenceless(problem)
  if (problem === undefined) return plain(waiting.text)
  const said = plain(waiting.text.replace(' (berth events shows how)', ''))
  return said.includes(sentenceless(problem)) ? said : `${said}: ${sentenceless(problem)}`
}

/** `next look in 40 s`, or `next try in 40 s` after a failure. */
export function nextLook(
  { code, next_look_ms: nextLookMs }: NonNullable<WorkloadView['waiting']>,
  nowMs: number,
): string {
  return `next ${code === 'BACKOFF' ? 'try' : 'look'} ${until(nextLookMs, nowMs)}`
}

/** A cause without its full stop, for the middle of a sentence. */
function sentenceless(text: string): string {
  return plain(text).replace(/\.$/, '')
}

/** A slot that runs but does not become ready. A slot that has just started may need a moment. */
function unreadyText({ slots, want }: WorkloadView, nowMs: number): string | undefined {
  const slow = slots.find(({ phase, healthy, since_ms: sinceMs }) => {
    return phase === 'running' && healthy === false && nowMs - sinceMs >= MOMENT_MS
  })
  if (slow === undefined || want !== 'running') return undefined
  const what = slow.health_path === undefined ? 'its health check' : plain(slow.health_path)
  return `slot ${slow.slot} has not been ready for ${lasting(nowMs - slow.since_ms)}: ${what} fails`
}

const MOMENT_MS = 10_000

/** How often a workload has restarted, while it has just come back and may fail again. */
function comeback({ slots, ...view }: WorkloadView, nowMs: number): string {
  const restarts = view.restarts_since_change ?? view.restarts
  const isFresh = slots.some(({ phase, since_ms: sinceMs }) => phase === 'running' && nowMs - sinceMs < 60_000)
  return restarts === 0 || !isFresh ? '' : `, restarted ${restarts === 1 ? 'once' : `${restarts} times`}`
}
