import { refuse } from '../core/base/refuse.ts'
import type { Parsed } from '../api/call.ts'
import type { At, ExecResult } from '../ports/berth.ts'
import { LATE, within } from '../ports/deadline.ts'
import type { Answer, Executed as Answered } from '../ports/provider.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { auditBy } from './audit.ts'
import { takeExecSeat } from './exec-seats.ts'
import { refuseUnwalled } from './project-rules.ts'
import { cannot, runningSlot } from './running-slot.ts'

/** The most characters to return of each output stream. */
const OUTPUT_MAX = 1024 * 1024

interface ExecAsk extends Omit<Parsed<'exec'>, keyof At> {
  readonly at: At
  readonly signal: AbortSignal
  readonly requestId: string
}

/** Runs a program next to a running slot. The audit entry is written before the program starts. */
export async function execInWorkload(deps: ServiceDeps, actor: Principal, ask: ExecAsk): Promise<ExecResult> {
  const leave = takeExecSeat(deps.store, actor)
  let running: Promise<Answer<Answered>> | undefined
  try {
    const placement = await runningSlot(deps, ask)
    const { provider } = placement.order.place
    await refuseUnwalled(deps, actor, { project: ask.at.project, provider })
    await noteExec(deps, actor, { ask, slot: placement.order.tag.slot })
    const time = new AbortController()
    const call = { signal: AbortSignal.any([ask.signal, time.signal]), requestId: ask.requestId }
    const { tag } = placement.order
    running = deps.providers.exec?.({ provider, ref: { tag, instance: placement.instance } }, ask.command, call)
    if (running === undefined) throw cannot(deps, placement, 'cannot run commands next to a workload')
    return { slot: tag.slot, ...(await inTime(deps, { ask, running, time })) }
  } finally {
    // A command that timed out still has to end, and keeps its place until then.
    void (running ?? Promise.resolve()).then(leave, leave)
  }
}

interface Running {
  readonly ask: ExecAsk
  readonly running: Promise<Answer<Answered>>
  /** Ends the command when aborted. */
  readonly time: AbortController
}

/** The result of the command with limited output. Throws when the time is up. */
async function inTime({ timers }: ServiceDeps, { ask, running, time }: Running): Promise<Answered> {
  const ended = running.catch((error: unknown) => ({ ok: false as const, error }))
  const answer = await within({ timers, ms: ask.timeout_ms }, ended)
  if (answer === LATE) {
    time.abort()
    const seconds = Math.round(ask.timeout_ms / 1000)
    const hint = 'Allow more time with --timeout, or run it as a job.'
    throw refuse('EXEC_FAILED', `${ask.command[0]} did not end within ${seconds} s and was stopped.`, hint)
  }
  if (!answer.ok) throw refuse('EXEC_FAILED', 'fault' in answer ? answer.fault.message : 'The provider did not answer.')
  const { code, out, err } = answer.value
  return { code, out: out.slice(0, OUTPUT_MAX), err: err.slice(0, OUTPUT_MAX) }
}

/** Records the program without its arguments, which may hold secrets. */
async function noteExec(
  { store, clock }: ServiceDeps,
  actor: Principal,
  { ask: { at, command }, slot }: { readonly ask: ExecAsk; readonly slot: string },
): Promise<void> {
  const facts = { slot, program: (command[0] ?? '').slice(0, 200), arguments: command.length - 1 }
  const subject = `workload/${at.name}`
  await store.commit({
    writes: [],
    audit: [auditBy(actor, { atMs: clock.nowMs(), project: at.project, action: 'exec', subject, facts })],
  })
}
