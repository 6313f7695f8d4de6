/** What a refusal says, wherever its API puts it. */
export interface RefusalWords {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
  /** It is in the form of the API, and not of something in front of it. */
  readonly isOwn: boolean
  /** Its status says little, and the API refuses with it, or in this form, all the same. */
  readonly isRefusal?: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** The code and the text of a refusal. */
export type RefusalText = Pick<RefusalWords, 'code' | 'text'>

const CODES = ['code', 'error_code', 'errorCode', 'error'] as const
const TEXTS = [
  'message',
  'msg',
  'detail',
  'error_description',
  'title',
  'reason',
  'error_reason',
  'suggestion',
] as const
const INNER = ['error', 'errors', 'detail', 'data'] as const
const DEPTH_MOST = 3
const INNER_MOST = 5

/**
 * `{ code, message }`, `{ error: { code, message } }`, `{ errors: [...] }`, `{ title, detail }`, `{ error, msg }` and the like:
 * every text that a refusal has for people, and the first code. Undefined: it says nothing.
 */
export function usualWords(body: unknown): RefusalText | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined
  const { codes, texts } = wordsIn(body, DEPTH_MOST)
  const [code] = codes
  const text = [...new Set(texts)].join('; ')
  return code === undefined && text === '' ? undefined : { code, text }
}

interface Words {
  readonly codes: readonly string[]
  readonly texts: readonly string[]
}

function wordsIn(value: unknown, depth: number): Words {
  if (typeof value === 'string') return { codes: [], texts: value.trim() === '' ? [] : [value.trim()] }
  if (depth === 0 || typeof value !== 'object' || value === null) return { codes: [], texts: [] }
  if (Array.isArray(value)) return joined(value.slice(0, INNER_MOST).map((inner) => wordsIn(inner, depth - 1)))
  const fields: Partial<Record<string, unknown>> = value
  const inner = INNER.map((key) => fields[key]).filter((each) => typeof each === 'object')
  const nested = joined(inner.map((each) => wordsIn(each, depth - 1)))
  const codes = CODES.map((key) => fields[key]).flatMap(codeOf)
  const texts = [...TEXTS, 'error'].map((key) => fields[key]).flatMap((each) => (isText(each) ? [each.trim()] : []))
  return { codes: [...nested.codes, ...codes], texts: [...nested.texts, ...texts] }
}

/** A code has no blanks; a sentence is none. */
function codeOf(value: unknown): readonly string[] {
  if (typeof value === 'number') return [String(value)]
  return typeof value === 'string' && /^[\w./:-]{1,100}$/.test(value) ? [value] : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function joined(all: readonly Words[]): Words {
  return { codes: all.flatMap(({ codes }) => codes), texts: all.flatMap(({ texts }) => texts) }
}
