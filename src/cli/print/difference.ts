import type {
  ValueChange,
  InputDifference,
  PlanDifference,
  RelaxationChange,
} from '../../core/place/explain/compare.ts'
import type { LineChange } from '../../core/place/explain/line-diff.ts'
import type { OfferReport } from '../../core/place/explain/offer-report.ts'
import type { OwnReport } from '../../core/place/own/report.ts'
import { cardsText } from './own.ts'
import { table } from '../terminal/table.ts'
import { perHour, where } from '../words/words.ts'
import { many, number } from '../../core/base/words.ts'

const LINES_SHOWN = 12
const CHANGES_SHOWN = 10

/** The difference between two plans as text: the answer first, then the inputs, then the results. */
export function printDifference(difference: PlanDifference, names: readonly [before: string, after: string]): string {
  const [before, after] = names
  if (difference.same) return `${before} and ${after} are the same plan`
  const parts = [
    section('Inputs', inputLines(difference.inputs)),
    section('Places', placeLines(difference)),
    section('Offers', countLines(difference)),
    section('What would admit more', relaxationLines(difference.relaxations)),
  ].filter((part) => part.length > 0)
  const details = parts.length === 0 ? [section('Details', detailLines(difference))] : []
  return [[`${before} and ${after} differ: ${headline(difference)}`], ...parts, ...details]
    .map((part) => part.join('\n'))
    .join('\n\n')
}

function headline({ fits, usd_per_hour: price, chosen }: PlanDifference): string {
  const words = [
    fits === undefined ? undefined : fits.to ? 'it fits now' : 'it no longer fits',
    price === undefined ? undefined : `${arrow(price, perHour)} in all`,
    chosen.length === 0 ? 'every place is the same' : `${many(chosen.length, 'place')} changed`,
  ]
  return words.filter((word) => word !== undefined).join(', ')
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [head, ...lines]
}

function inputLines({ workload, policy, manifest, config, offers }: InputDifference): readonly string[] {
  return [
    ...(workload === undefined ? [] : [`  workload  ${arrow(workload, String)}`]),
    ...(policy === undefined ? [] : [`  policy    ${arrow(policy, String)}`]),
    ...(offers === undefined ? [] : [`  offers    ${arrow(offers, printOffers)}`]),
    ...textLines('manifest', manifest),
    ...textLines('config', config),
  ]
}

function printOffers({ looked_at: count, version }: { readonly looked_at: number; readonly version: string }): string {
  return `${number(count)} (${version.slice(0, 8)})`
}

function textLines(name: string, changes: readonly LineChange[]): readonly string[] {
  if (changes.length === 0) return []
  const shown = changes
    .slice(0, LINES_SHOWN)
    .map(({ kind, line, text }) => `    ${String(line).padStart(4)} ${kind === 'added' ? '+' : '-'} ${text}`)
  const rest = changes.length - shown.length
  return [
    `  ${name.padEnd(8)}  ${many(changes.length, 'line')} changed`,
    ...shown,
    ...(rest === 0 ? [] : [`         and ${number(rest)} more (-o json)`]),
  ]
}

function placeLines({ chosen }: PlanDifference): readonly string[] {
  if (chosen.length === 0) return []
  const rows = chosen.slice(0, CHANGES_SHOWN).map(({ role, replica, node, from, to, own }) => {
    const name = `${role === undefined ? '' : `${role} `}${replica}${node === 0 ? '' : ` node ${node}`}`
    return [name, place(from, own?.from), place(to, own?.to)]
  })
  const columns = [{ head: 'REPLICA' }, { head: 'BEFORE' }, { head: 'AFTER' }]
  return [...table(columns, rows), ...rest(chosen.length)]
}

function place(offer: OfferReport | undefined, own: OwnReport | undefined): string {
  if (offer === undefined) return 'no place'
  const terms = offer.terms === 'spot' ? ' (spot)' : ''
  const cards = own === undefined || own.cards.length === 0 ? '' : ` ${cardsText(own)}`
  return `${where(offer)} ${offer.instance}${cards}, ${perHour(offer.usd_per_hour)}${terms}`
}

function countLines({ fitting, refused }: PlanDifference): readonly string[] {
  const fits = fitting.map(({ role, ...change }) => [role === undefined ? 'fit' : `fit ${role}`, ...cells(change)])
  const reasons = refused.slice(0, CHANGES_SHOWN).map(({ code, ...change }) => [code, ...cells(change)])
  if (fits.length + reasons.length === 0) return []
  const columns = [
    { head: '' },
    { head: 'BEFORE', align: 'right' as const },
    { head: 'AFTER', align: 'right' as const },
  ]
  return [...table(columns, [...fits, ...reasons]), ...rest(refused.length)]
}

function cells({ from, to }: ValueChange<number>): readonly string[] {
  return [number(from), number(to)]
}

function relaxationLines(changes: readonly RelaxationChange[]): readonly string[] {
  if (changes.length === 0) return []
  const rows = changes
    .slice(0, CHANGES_SHOWN)
    .map(({ key, value, from, to }) => [`${key}: ${value}`, gain(from), gain(to)])
  return [...table([{ head: 'CHANGE' }, { head: 'BEFORE' }, { head: 'AFTER' }], rows), ...rest(changes.length)]
}

function gain(relaxation: RelaxationChange['from']): string {
  return relaxation === undefined ? 'nothing' : `${number(relaxation.offers)} from ${perHour(relaxation.usd_per_hour)}`
}

/** For plans that differ only in details that the other sections leave out. */
function detailLines({ details }: PlanDifference): readonly string[] {
  const print = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value)).slice(0, 40)
  const shown = details.slice(0, CHANGES_SHOWN).map((change) => `  ${change.path}  ${arrow(change, print)}`)
  return [...shown, ...rest(details.length)]
}

function rest(all: number): readonly string[] {
  return all <= CHANGES_SHOWN ? [] : [`  and ${number(all - CHANGES_SHOWN)} more (-o json)`]
}

function arrow<T>({ from, to }: ValueChange<T>, print: (value: T) => string): string {
  return `${print(from)} -> ${print(to)}`
}
