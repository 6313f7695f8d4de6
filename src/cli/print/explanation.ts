import type { WorkloadView } from '../../core/life/view/view.ts'
import type { Explanation, RefusalView } from '../../ports/berth.ts'
import { eventLine } from '../work/events.ts'
import { slotLines } from '../work/get.ts'
import { attemptLines } from './attempts.ts'
import { printPlan } from './plan.ts'
import { named, nextLook, slotState, readyText, stateText, waitingText } from '../words/keep.ts'
import { lasting, plain, many, number } from '../../core/base/words.ts'
import { perHour } from '../words/words.ts'
import { LEAVING_WORDS, reasonWords } from '../../core/event/words.ts'

export interface ExplanationScreen {
  readonly nowMs: number
  readonly all: 'all' | 'one-screen'
}

const EVENTS_SHOWN = 5

/** Why a workload runs where it does, or does not run: the answer, the places, the obstacles, the latest events. */
export function printExplanation(explanation: Explanation, screen: ExplanationScreen): string {
  const { workload, plan, refusals, events, notes = [] } = explanation
  const { nowMs, all } = screen
  const last = events.slice(-EVENTS_SHOWN)
  const parts: readonly (readonly string[])[] = [
    [headline(workload, nowMs)],
    placeLines(explanation, nowMs),
    notes.map(plain),
    plan === undefined
      ? []
      : [`If it were placed now:`, '', printPlan(plan, { again: undefined, elapsedMs: undefined, nowMs, all })],
    attemptLines(explanation.attempts ?? [], nowMs),
    refusalLines(refusals, nowMs),
    last.length === 0
      ? []
      : ['Latest events:', ...last.map((event) => `  ${eventLine(event, { nowMs, isAlone: true, times: 'ago' })}`)],
    [`Next:  ${nextSteps(explanation, screen).join('      ')}`],
  ]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')
}

function headline(view: WorkloadView, nowMs: number): string {
  const { name, waiting, end, set_aside: aside, total } = view
  const ready = readyText(view)
  if (aside !== undefined) return `${name} is set aside: ${plain(aside)}. Other workloads are not affected.`
  if (end !== undefined)
    return `${name} ${end.state === 'failed' ? 'has' : 'is'} ${end.state}, ended ${lasting(nowMs - end.at_ms)} ago: ${plain(end.why)}`
  if (waiting === undefined) return `${name}: ${ready} of ${total} up, ${stateText(view, nowMs)}.`
  // After a failure only the next try matters, not how long the workload has waited.
  const since = waiting.code === 'BACKOFF' ? 'is waiting' : `has waited ${lasting(nowMs - waiting.since_ms)}`
  const why = `${waitingText(view)} [${waiting.code}], ${nextLook(waiting, nowMs)}`
  return `${name} ${since} (${ready} of ${total} up): ${why}.`
}

function placeLines({ workload, prices_now: prices }: Explanation, nowMs: number): readonly string[] {
  const { slots } = workload
  if (slots.length === 0) return []
  const reasons = slots.flatMap((slot) => {
    const because = becauseLines(slot, { nowUsd: prices?.[slot.slot], nowMs })
    const why =
      slot.why === undefined
        ? []
        : [`  ${slot.slot} ${slot.phase === 'gone' ? 'is gone' : 'is leaving'} because: ${plain(leaving(slot.why))}`]
    const unsure = slot.phase === 'unknown' ? [`  ${slot.slot}: ${slotState(slot, nowMs)}`] : []
    return [...because, ...why, ...unsure]
  })
  return [...slotLines(workload, nowMs), ...(reasons.length === 0 ? [] : ['', ...reasons])]
}

/** Why it is there, why not elsewhere, and the price then and now. */
function becauseLines(
  slot: WorkloadView['slots'][number],
  { nowUsd, nowMs }: { readonly nowUsd: number | undefined; readonly nowMs: number },
): readonly string[] {
  const { decision } = slot
  // For an attempt that is gone, neither place nor price matters any more.
  if (slot.because === '' || slot.phase === 'gone') return []
  const head = `  ${slot.slot} is there because: ${plain(slot.because)}`
  if (decision === undefined) return [head]
  const { candidates, fitting, refused, runner_up: next } = decision
  const reasons = Object.entries(refused).map(([code, offers]) => `${number(offers)} ${code}`)
  const others = next === undefined ? '' : `; next best ${plain(next.offer)} at ${perHour(next.usd_per_hour)}`
  const now = nowUsd === undefined ? 'not offered now' : `${perHour(nowUsd)} now`
  return [
    `${head}, of ${number(fitting)} that fit among ${many(candidates, 'offer')}, ${lasting(nowMs - decision.at_ms)} ago`,
    `    ${perHour(slot.usd_per_hour)} then, ${now}${others}`,
    ...(reasons.length === 0 ? [] : [`    turned down: ${reasons.join(', ')}`]),
    ...(decision.image_unused === true ? ['    runs as a process on the host: its image is not used'] : []),
  ]
}

function leaving(why: string): string {
  const words: Readonly<Record<string, string>> = LEAVING_WORDS
  return words[why] ?? why
}

function refusalLines(refusals: readonly RefusalView[], nowMs: number): readonly string[] {
  if (refusals.length === 0) return []
  const lines = refusals.map(({ provider, region, instance, why, at_ms: atMs, until_ms: untilMs }) => {
    const what = [provider, region, instance].filter((part) => part !== undefined).join('/')
    return `  ${plain(what)}: ${plain(reasonWords(why))}, ${lasting(nowMs - atMs)} ago; asked again in ${lasting(untilMs - nowMs)}`
  })
  return ['Recent refusals:', ...lines]
}

function nextSteps({ workload, plan }: Explanation, { all }: ExplanationScreen): readonly string[] {
  const { waiting } = workload
  const name = named(workload)
  const detail = plan !== undefined && all !== 'all' ? [`berth explain ${name} --all`] : []
  const code = waiting !== undefined && /^[A-Z_]+$/.test(waiting.code) ? [`berth explain ${waiting.code}`] : []
  return [...detail, ...code, `berth events ${name}`]
}
