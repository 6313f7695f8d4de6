import * as z from 'zod'
import { nearest } from '../document/nearest.ts'
import { textAsWritten, traits } from '../document/traits.ts'
import type { IssueParams, Traits } from '../document/traits.ts'
import { printable } from '../document/look-up.ts'
import { ARCH_SYNONYMS, ARCHES } from '../hardware/arch.ts'
import { resolveGpu } from '../hardware/resolve.ts'
import { parseCpu, parseMemoryGib, parseVramGib } from '../base/units.ts'
import type { Amount } from '../base/units.ts'

/** What an editor shows for a key, and an example of its value. */
export interface Notes {
  readonly description: string
  readonly examples?: readonly unknown[]
  /** The value when the key is left out. */
  readonly default?: unknown
}

/** A key that may be left out. */
export function optional<T extends z.ZodType>(schema: T, notes: Notes, more: Traits = {}): z.ZodOptional<T> {
  return required(schema.optional(), notes, more)
}

/** A key that must be there. */
export function required<T extends z.ZodType>(schema: T, notes: Notes, more: Traits = {}): T {
  const noted = schema.meta({ ...notes })
  const registered: z.ZodType = noted
  traits.add(registered, more)
  return noted
}

const MEMORY_FORM = '^\\d+(\\.\\d+)? ?([KMGT]i|[KMGT]iB|[KMGT]B|B)$'
/** For JSON Schema: a number without quotes is valid too, because Berth reads its text. */
export const BARE = ['string', 'number']
const VERSION_FORM = /^\d{1,4}(?:\.\d{1,3}){0,2}$/

export const memory = amount(parseMemoryGib, { word: 'an amount such as 80Gi', form: MEMORY_FORM })
export const vram = amount(parseVramGib, { word: 'an amount such as 80Gi', form: MEMORY_FORM })
export const cpu = amount(parseCpu, { word: 'a number of cores', form: '^\\d+(\\.\\d+)?m?$' }).meta({ type: BARE })

/** Versions keep the text they were written with: `12.10` is not 12.1. */
export const version = textAsWritten({ word: 'a version such as 550 or 12.4' })
  .regex(VERSION_FORM, 'This is not a version number.')
  .meta({ type: BARE })

/** `9` and `9.0` are the same compute capability. */
export const computeCapability = textAsWritten({ word: 'a version such as "9.0"' })
  .regex(/^\d{1,2}(?:\.\d)?$/, 'This is not a compute capability.')
  .meta({ type: BARE })
  .transform((text) => (text.includes('.') ? text : `${text}.0`))

/** The name of a GPU architecture, in the one spelling that the hardware table uses. */
export const arch = textAsWritten({ word: 'the name of an architecture' })
  .meta({ enum: Object.keys(ARCHES) })
  .transform((text, context) => {
    const key = text
      .trim()
      .toLowerCase()
      .replaceAll(/[\s_]+/g, '-')
    const name = Object.hasOwn(ARCH_SYNONYMS, key) ? ARCH_SYNONYMS[key] : key
    if (name !== undefined && Object.hasOwn(ARCHES, name)) return name
    const near = nearest(key, Object.keys(ARCHES))
    const all = near === undefined ? `Known: ${Object.keys(ARCHES).join(', ')}.` : `Did you mean ${near}?`
    const hint = cardHint(text) ?? all
    const params: IssueParams = { hint }
    const message = 'There is no architecture with this name.'
    context.issues.push({ code: 'custom', input: text, message, params: { ...params } })
    return z.NEVER
  })

/** Users often know a card but not its architecture. */
function cardHint(text: string): string | undefined {
  const found = resolveGpu(text)
  const cards = found.kind === 'gpu' ? [found.gpu] : found.kind === 'ambiguous' ? found.candidates : []
  const arches = [...new Set(cards.map((card) => card.arch))]
  return arches.length === 0
    ? undefined
    : `${printable(text)} is a card. Write its architecture: arch: ${arches.join(' or ')}`
}

/** One value or a list of values; the result is always a list. */
export function oneOrMore<T extends z.ZodType>(item: T): z.ZodType<z.output<T>[], z.input<T> | z.input<T>[]> {
  const list = z.array(item).min(1).max(64)
  const one = item.transform((value): z.output<T>[] => [value])
  return z.union([one, list])
}

/** An amount with its unit; `form` is what JSON Schema says about it. */
export function amount(
  parse: (text: string) => Amount,
  { word, form }: { readonly word: string; readonly form: string },
) {
  return textAsWritten({ word })
    .meta({ pattern: form })
    .transform((text, context) => {
      const parsed = parse(text)
      if (parsed.kind === 'amount') return parsed.value
      context.issues.push(wrongAmount(text, parsed))
      return z.NEVER
    })
}

export function wrongAmount(input: string, { why, message, hint }: Extract<Amount, { kind: 'wrong' }>) {
  const params: IssueParams = { code: why === 'form' ? 'QUANTITY_INVALID' : 'VALUE_RANGE', hint }
  return { code: 'custom' as const, input, message, params: { ...params } }
}
