import { slotOfSeat } from '../../core/life/slots.ts'
import type { WorkloadView } from '../../core/life/view/view.ts'
import { printSeconds } from '../../core/base/units.ts'
import type { AttemptView } from '../../core/event/attempts.ts'
import type { Register } from '../cli.ts'
import { answer } from '../output.ts'
import { attemptLines, hasRun } from '../print/attempts.ts'
import { listOptions, showList, type PsFlags } from './ps.ts'
import { berthOf, projectOf } from '../remote.ts'
import { table } from '../terminal/table.ts'
import { perHour } from '../words/words.ts'
import {
  ago,
  isBilled,
  named,
  priceCell,
  sinceShort,
  slotPlace,
  slotState,
  readyText,
  stateText,
} from '../words/keep.ts'
import { plain } from '../../core/base/words.ts'

interface GetFlags extends PsFlags {
  readonly manifest?: boolean
}

/** `berth get`: one workload in detail. */
export const get: Register = (program, cli) => {
  listOptions(
    program
      .command('get')
      .description('show a workload: every slot, where it runs, its address and since when; without a name, list all')
      .argument('[name]', 'name of the workload')
      .option('--manifest', 'show the applied manifest instead'),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  berth get llama-70b\n  berth get llama-70b -o yaml\n  berth get chat --manifest',
    )
    .action(async (name: string | undefined, flags: GetFlags) => {
      if (name === undefined) return showList(flags, cli)
      const berth = berthOf(cli, flags)
      const at = { project: projectOf(cli, flags), name }
      if (flags.manifest === true) {
        const manifest = await berth.manifest(at)
        return answer(cli, flags.output, { data: manifest, text: () => manifest.text.trimEnd(), lines: 'as-is' })
      }
      const view = await berth.workload(at)
      const isFirst = view.restarts === 0 && view.slots.every(({ epoch }) => epoch === 1)
      const attempts = isFirst ? [] : await berth.attempts(at)
      const data = { ...view, ...(!isFirst && { attempts }) }
      return answer(cli, flags.output, {
        data,
        text: () => printWorkload(view, { nowMs: cli.clock.nowMs(), attempts }),
      })
    })
}

interface WorkloadScreen {
  readonly nowMs: number
  /** All attempts so far; empty when there was only one. */
  readonly attempts: readonly AttemptView[]
}

/** A workload as text. */
function printWorkload(view: WorkloadView, { nowMs, attempts }: WorkloadScreen): string {
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['project', view.project],
    ['kind', view.kind],
    ['endpoint', view.endpoint],
    ['wanted', wanted(view)],
    ['since', `${ago(view.created_ms, nowMs)}, changed ${ago(view.changed_ms, nowMs)}`],
    ['costs', isBilled(view) ? perHour(view.usd_per_hour) : 'nothing'],
    ['policy', view.policy],
    ['labels', labelsText(view)],
    ['template', view.template === undefined ? undefined : `${view.template.name}@${view.template.version}`],
    ['restarts', view.restarts === 0 ? undefined : restarts(view)],
  ]
  const rows = facts.flatMap(([name, text]) => (text === undefined ? [] : [`  ${name.padEnd(10)}${plain(text)}`]))
  const head = `${view.name}: ${headOf(view, nowMs)}`
  const past = attemptLines(attempts, nowMs)
  const places = [...slotLines(view, nowMs), ...imageLines(view)]
  const parts = [rows, places, past, [nextSteps(view, attempts.filter(hasRun).length > 1)]]
  return [head, ...parts.filter((part) => part.length > 0).map((part) => part.join('\n'))].join('\n\n')
}

/** A job that is done has nothing running. */
function headOf(view: WorkloadView, nowMs: number): string {
  const { ready, total, state, end } = view
  if (state !== 'done') return `${readyText(view)} of ${total} up, ${stateText(view, nowMs)}`
  return `${ready} of ${total} done${end === undefined ? '' : `, ${ago(end.at_ms, nowMs)}`}`
}

function labelsText({ labels = {} }: WorkloadView): string | undefined {
  const texts = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  return texts.length === 0 ? undefined : texts.toSorted().join(', ')
}

function wanted({ want, kind, generation, state }: WorkloadView): string {
  // A job that has ended is not meant to run again.
  const isOver = want === 'running' && (state === 'done' || (kind === 'job' && state === 'failed'))
  return `${isOver ? 'run to its end' : want} (generation ${generation})`
}

function restarts({ restarts: times, lost_seconds: lost }: WorkloadView): string {
  return `${times}${lost === 0 ? '' : `, ${printSeconds(Math.round(lost))} of work lost`}`
}

/** Every slot and where it runs. */
export function slotLines(view: Pick<WorkloadView, 'slots' | 'restarting'>, nowMs: number): readonly string[] {
  const { slots, restarting } = view
  const old = restarting === true ? ', to be restarted' : ', previous version'
  if (slots.length === 0) return ['  No slot has a place.']
  const columns = [
    { head: 'SLOT' },
    { head: 'WHERE' },
    { head: 'INSTANCE' },
    { head: '$/h', align: 'right' as const },
    { head: 'SINCE' },
    { head: 'STATE' },
    { head: 'ADDRESS' },
  ]
  const rows = slots.map((slot) => [
    slot.slot,
    slotPlace(slot),
    plain(slot.instance ?? '?'),
    priceCell(slot.usd_per_hour, slot.phase !== 'gone'),
    sinceShort(slot.since_ms, nowMs),
    slotState(slot, nowMs) + (slot.current === false && slot.phase !== 'stopping' ? old : ''),
    plain(Object.values(slot.ports).join(' ')),
  ])
  return [...table(columns, rows), ...seatLines(slots)]
}

/** A replica and its successor are two attempts in one slot. What a name such as `0.b` means is said where it is first seen. */
function seatLines(slots: WorkloadView['slots']): readonly string[] {
  const seated = slots.find(({ slot, phase }) => slotOfSeat(slot) !== slot && phase !== 'gone')
  if (seated === undefined) return []
  const slot = slotOfSeat(seated.slot)
  return [`  ${seated.slot} is another attempt of ${slot}; --slot ${slot} means the one that serves.`]
}

/** Says where the manifest's image is not used, because the host's own program runs instead. */
function imageLines({ slots }: WorkloadView): readonly string[] {
  const unused = slots.filter(({ phase, decision }) => phase !== 'gone' && decision?.image_unused === true)
  const providers = [...new Set(unused.map(({ provider }) => plain(provider)))].toSorted()
  return providers.map((provider) => `  On ${provider} it runs as a process on the host: its image is not used.`)
}

function nextSteps(view: WorkloadView, hasPast: boolean): string {
  const { slots, state } = view
  const name = named(view)
  const isStuck = state === 'waiting' || state === 'failed' || state === 'set-aside' || slots.length === 0
  const steps = isStuck
    ? [`berth explain ${name}`, `berth events ${name}`]
    : [`berth logs ${name} -f`, `berth events ${name}`]
  const past = hasPast ? [`berth logs ${name} --previous`] : []
  return `Next:  ${[...steps, ...past].join('      ')}`
}
