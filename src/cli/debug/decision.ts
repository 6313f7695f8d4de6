import type { StepCall, StepCommit, StepEvent } from '../../controller/step/event.ts'
import type { Did } from '../../controller/step/recording.ts'
import type { Write } from '../../ports/store.ts'

/** What followed from one event, in the words of a user. */
export interface StepDecision {
  readonly line: number
  readonly at: string
  /** What the controller had learnt. */
  readonly event: StepEvent['kind']
  readonly workloads: readonly string[]
  readonly writes: readonly {
    readonly about: string
    readonly rows: readonly string[]
    readonly events: readonly string[]
  }[]
  readonly calls: readonly {
    readonly provider: string
    readonly call: StepCall['kind']
    readonly slots: readonly string[]
  }[]
  readonly logs: readonly string[]
  readonly threw?: string
}

export function decisionOf(line: number, event: StepEvent, { commits, calls, logs, threw }: Did): StepDecision {
  const called = calls.map((call) => ({ provider: call.provider, call: call.kind, slots: slotsOf(call) }))
  const about = [
    ...commits.flatMap(({ key }) => key ?? []),
    ...called.flatMap(({ slots }) => slots.map((slot) => slot.split('/', 2).join('/'))),
  ]
  return {
    line,
    at: new Date(event.wallMs).toISOString(),
    event: event.kind,
    workloads: [...new Set(about)],
    writes: commits.map(writeOf),
    calls: called,
    logs: logs.map(({ text }) => text),
    ...(threw !== undefined && { threw }),
  }
}

function writeOf({ key, writes, events }: StepCommit): StepDecision['writes'][number] {
  return { about: key ?? 'platform', rows: writes.map(rowOf), events: events.map(({ kind }) => kind) }
}

function rowOf(write: Write): string {
  const name = `${write.kind} ${write.key}`
  if (write.body === undefined) return `${name} deleted`
  if (write.kind !== 'placement') return name
  const { phase, order } = write.body
  return `${name} ${phase} at ${order.place.provider}`
}

function slotsOf(call: StepCall): readonly string[] {
  switch (call.kind) {
    case 'launch':
      return [slotOf(call.order.tag)]
    case 'group':
      return call.orders.map(({ tag }) => slotOf(tag))
    case 'describe':
    case 'stop':
      return [slotOf(call.ref.tag)]
    case 'list':
    case 'offers':
      return []
  }
}

function slotOf({ project, workload, slot }: { project: string; workload: string; slot: string }): string {
  return `${project}/${workload}/${slot}`
}

/** One line for the event, and one for each thing that followed. */
export function printDecision({ at, event, writes, calls, logs, threw }: StepDecision): readonly string[] {
  return [
    `${at.replace('T', ' ').replace('Z', '')}  ${event}`,
    ...writes.map(
      ({ about, rows, events }) =>
        `  write  ${about}: ${[...rows, ...events.map((kind) => `event ${kind}`)].join(', ')}`,
    ),
    ...calls.map(({ provider, call, slots }) => `  call   ${provider}: ${[call, ...slots].join(' ')}`),
    ...logs.map((text) => `  log    ${text}`),
    ...(threw === undefined ? [] : [`  failed: ${threw}`]),
  ]
}
