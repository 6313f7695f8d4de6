import { plain } from '../base/words.ts'
import type { EventEntry, Facts } from './event.ts'
import { definitionOf } from './kinds.ts'
import { joinWords, reasonWords } from './words.ts'

type Told = Pick<EventEntry, 'kind' | 'facts' | 'atMs' | 'project' | 'subject'>

/** What happened, in words, to follow the event's kind. Events of other versions are shown with what they say themselves. */
export function eventText({ kind, facts, atMs, project, subject }: Told): string {
  const slash = subject.indexOf('/')
  const definition = definitionOf(kind)
  const read = definition?.about === subject.slice(0, slash) ? definition.facts.safeParse(facts) : undefined
  const words =
    definition !== undefined && read?.success === true
      ? definition.text(read.data, { atMs, project, name: subject.slice(slash + 1) })
      : asItIs(facts)
  return plain(words)
}

/** The facts of an event whose kind is not known here, or had other facts in the version that wrote it. */
function asItIs(facts: Facts): string {
  const slot = textOf(facts, 'slot')
  const provider = textOf(facts, 'provider')
  const where = joinWords([slot, provider === undefined ? undefined : `on ${provider}`], ' ')
  const said = SAYING.map((name) => textOf(facts, name)).find((text) => text !== undefined)
  if (said !== undefined) return joinWords([where, reasonWords(said)], ': ')
  const all = Object.keys(facts).map((name) => [name, textOf(facts, name)] as const)
  return all.flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`])).join(', ')
}

/** Facts that are words for people, the most telling first. */
const SAYING = ['text', 'message', 'exit', 'why', 'because', 'reason'] as const

function textOf(facts: Facts, name: string): string | undefined {
  const value = Object.hasOwn(facts, name) ? facts[name] : undefined
  return value === undefined || value === null || value === '' ? undefined : String(value)
}
