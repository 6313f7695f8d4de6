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

/** Keys as they are spelled without case and joints: `errorCode`, `error_code` and `ErrorCode` are one. */
const CODES = ['code', 'errorcode', 'error']
const TEXTS = [
  'message',
  'msg',
  'errormessage',
  'errormsg',
  'statusmessage',
  'detail',
  'details',
  'description',
  'errordescription',
  'title',
  'reason',
  'errorreason',
  'suggestion',
  'error',
]
const INNER = [
  'error',
  'errors',
  'detail',
  'details',
  'data',
  'fielderrors',
  'cause',
  'causes',
  'innererror',
  'response',
  // Of a graph's errors: `{ message, extensions: { code } }`.
  'extensions',
]
/** Where each field of an order has words of its own. */
const FIELDS = ['errors', 'error', 'fielderrors', 'details', 'detail']
const DEPTH_MOST = 5
const INNER_MOST = 5

/**
 * `{ code, message }`, `{ error: { code, message } }`, `{ errors: [...] }`, `{ title, detail }`, `{ error, msg }` and the like:
 * every text that a refusal has for people, and the first code. Undefined: it says nothing.
 */
export function usualWords(body: unknown): RefusalText | undefined {
  if (typeof body !== 'object') return undefined
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
  const fields = new Map(Object.entries(value).map(([key, each]) => [plainKey(key), each]))
  const inner = INNER.map((key) => fields.get(key)).filter((each) => typeof each === 'object')
  const nested = joined(inner.map((each) => wordsIn(each, depth - 1)))
  const codes = CODES.map((key) => fields.get(key)).flatMap(codeOf)
  const texts = TEXTS.map((key) => fields.get(key)).flatMap((each) => (isText(each) ? [each.trim()] : []))
  const ofFields = FIELDS.map((key) => fields.get(key)).flatMap(fieldTexts)
  return { codes: [...nested.codes, ...codes], texts: [...nested.texts, ...texts, ...ofFields] }
}

/** `{ errors: { name: ['is too long'] } }`: what is wrong with each field. */
function fieldTexts(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    Array.isArray(each) ? each.filter(isText).map((text) => `${key} ${text.trim()}`) : [],
  )
}

function plainKey(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase()
}

/** A code as people say it: `OUT_OF_STOCK` and `outOfStock` are `out of stock`. */
export function spoken(code: string): string {
  return code.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/[_/.-]+(?=\w)/g, ' ')
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
