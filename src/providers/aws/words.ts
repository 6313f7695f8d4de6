import { usualWords, type RefusalText } from '../rest/words.ts'

/** What a reply of AWS says, in whatever form it comes. */
export interface AwsWords {
  /** Undefined: it is not a word of AWS. */
  readonly refusals: readonly RefusalText[] | undefined
  /** Machines that it names. */
  readonly instances: readonly string[]
  /** Its end is missing. */
  readonly isCut: boolean
}

const NOTHING: AwsWords = { refusals: undefined, instances: [], isCut: false }

/** XML as EC2 writes it, JSON as the other services and the tools of AWS do, or the sentence that those tools print. */
export function awsWords(text: string, type = ''): AwsWords {
  const plain = text.trim()
  if (/html/i.test(type) || /^<!doctype html|^<html/i.test(plain)) return NOTHING
  if (plain.startsWith('<')) return inXml(plain)
  if (/^[[{]/.test(plain)) return inJson(plain)
  const spoken = inSentence(plain)
  return spoken === undefined ? NOTHING : { ...NOTHING, refusals: [spoken] }
}

/** `<Error><Code>`, `<errorCode>` of a fleet, `<stateReason><code>` of a machine that was refused later. */
const CODE = /<(Code|errorCode)>([^<]{1,200})<\/\1>|<stateReason>\s*<code>([^<]{1,200})<\/code>/g
const MESSAGE = /<(Message|errorMessage|message)>([^<]*)<\/\1>/
const REFUSALS_MOST = 50
/** A message follows its code at once. */
const AFTER_MOST = 10_000

function inXml(text: string): AwsWords {
  const root = /^(?:<\?xml[^>]*>\s*)?<([A-Za-z][\w.-]*)/.exec(text)?.[1]
  const isCut = root === undefined || !text.endsWith(`</${root}>`)
  const found = [...text.matchAll(CODE)].slice(0, REFUSALS_MOST)
  const refusals = found.map((each, index) => {
    const after = text.slice(each.index, found[index + 1]?.index ?? each.index + AFTER_MOST)
    return { code: unescaped(each[2] ?? each[3] ?? '').trim(), text: unescaped(MESSAGE.exec(after)?.[2] ?? '') }
  })
  const instances = [...text.matchAll(/>\s*(i-[a-z\d]{1,40})\s*</g)].map(([, id = '']) => id)
  const isOwn = refusals.length > 0 || /^(?:Response|ErrorResponse|\w+Response)$/.test(root ?? '')
  return { refusals: isOwn ? refusals : undefined, instances: [...new Set(instances)], isCut }
}

function inJson(text: string): AwsWords {
  const body = parsed(text)
  if (body === undefined) return { ...NOTHING, isCut: true }
  const refusals = refusalsIn(body.value)
  const instances = [...text.matchAll(/"(i-[a-z\d]{1,40})"/g)].map(([, id = '']) => id)
  if (refusals.length > 0) return { refusals, instances: [...new Set(instances)], isCut: false }
  const words = usualWords(body.value)
  const spoken = words === undefined ? undefined : (inSentence(words.text) ?? words)
  return { refusals: spoken === undefined ? undefined : [spoken], instances: [...new Set(instances)], isCut: false }
}

const CODES = ['ErrorCode', 'errorCode', 'Code', '__type'] as const
const TEXTS = ['ErrorMessage', 'errorMessage', 'Message', 'message'] as const
const DEPTH_MOST = 4

/** `{ Errors: [{ ErrorCode, ErrorMessage }] }`, `{ Error: { Code, Message } }`, `{ __type, message }`, `{ StateReason: … }` */
function refusalsIn(value: unknown, depth = DEPTH_MOST): readonly RefusalText[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  if (Array.isArray(value)) return value.slice(0, REFUSALS_MOST).flatMap((each) => refusalsIn(each, depth - 1))
  const fields: Partial<Record<string, unknown>> = value
  const code = CODES.map((key) => fields[key]).find((each) => typeof each === 'string')
  if (code !== undefined) {
    const text = TEXTS.map((key) => fields[key]).find((each) => typeof each === 'string') ?? ''
    // `com.amazon.coral.availability#ThrottlingException`
    return [{ code: code.replace(/^.*#/, ''), text }]
  }
  return ['Errors', 'Error', 'error', 'errors', 'Response', 'Reservations', 'Instances', 'StateReason'].flatMap((key) =>
    refusalsIn(fields[key], depth - 1),
  )
}

/** `An error occurred (InsufficientInstanceCapacity) when calling the CreateFleet operation: …`, `…, api error Unsupported: …` */
function inSentence(text: string): RefusalText | undefined {
  const [, code, words] =
    /\(([\w.]{3,100})\) when calling the \w+ operation[^:]{0,100}:?\s*([\s\S]*)/.exec(text) ??
    /\bapi error ([\w.]{3,100}): ([\s\S]*)/.exec(text) ??
    /^(?:[\w.]{0,100}Exception: )?((?:Server|Client)\.[\w.]{3,100}|[A-Z][a-z]+[A-Z][\w.]{2,100}): ([\s\S]*)/.exec(
      text,
    ) ??
    []
  return code === undefined ? undefined : { code, text: words ?? '' }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function unescaped(text: string): string {
  return text.replaceAll(/&(lt|gt|quot|apos|amp);/g, (all, name: string) => ENTITIES[name] ?? all)
}
