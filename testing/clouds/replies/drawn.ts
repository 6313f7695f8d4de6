import fc from 'fast-check'
import type { RawReply } from '../fake-api.ts'
import { KNOWN_REPLIES } from './known.ts'

/** Statuses that say nothing by themselves: those of limits, keys, money and wrong orders (422) are told by their status alone. */
const STATUSES = [200, 201, 204, 206, 301, 302, 307, 400, 404, 409, 410, 500, 502, 503, 504, 520, 599]
const TYPES = [
  'application/json',
  'application/problem+json',
  'text/html',
  'text/plain',
  'application/octet-stream',
  '',
]

const WORDS = KNOWN_REPLIES.map(([, , , , body]) => (typeof body === 'string' ? body : JSON.stringify(body)))

const html = fc.constantFrom(...WORDS).map((words) => `<!doctype html><html><body><pre>${words}</pre></body></html>`)
const truncated = fc
  .tuple(fc.constantFrom(...WORDS), fc.double({ min: 0.05, max: 0.95, noNaN: true }))
  .map(([text, share]) => text.slice(0, Math.max(1, Math.floor((text.length - 1) * share))))
const otherTypes = fc.jsonValue().map((value) => JSON.stringify({ data: value, error: [value], code: {}, message: 7 }))
/** Not as bytes: a case that fails is printed, and nobody reads a megabyte of numbers. */
const huge = fc.record({ part: fc.constantFrom('[', '{"a":', ' ', 'x'), times: fc.constant(300_000) })
const charset = fc.constantFrom(...WORDS).map((text) => Buffer.from(text, 'utf16le'))
const noise = fc.uint8Array({ maxLength: 300 })

type Content = string | Uint8Array | { readonly part: string; readonly times: number }

const contents: fc.Arbitrary<Content> = fc.oneof(fc.oneof(html, truncated, otherTypes), huge, charset, noise)

export function bytesOf(content: Content): Uint8Array {
  if (content instanceof Uint8Array) return content
  return Buffer.from(typeof content === 'string' ? content : content.part.repeat(content.times))
}

/** A reply whose content is made when it is sent. */
export interface Drawn extends Omit<RawReply, 'bytes'> {
  readonly content: Content
}

/** What nobody can make sense of, in every form in which it may come. */
export const drawnReply: fc.Arbitrary<Drawn> = fc
  .record({
    status: fc.constantFrom(...STATUSES),
    type: fc.constantFrom(...TYPES),
    content: contents,
    end: fc.oneof(
      { weight: 70, arbitrary: fc.constant(undefined) },
      { weight: 28, arbitrary: fc.constant('cut' as const) },
      { weight: 1, arbitrary: fc.constant('hung' as const) },
      { weight: 1, arbitrary: fc.constant('slow' as const) },
    ),
    location: fc.constantFrom(undefined, 'http://169.254.169.254/latest', '/elsewhere', 'javascript:0', '::'),
  })
  .map(({ status, type, content, end, location }) => ({
    status,
    content: status === 204 ? '' : content,
    ...(type !== '' && { type }),
    ...(end !== undefined && status !== 204 && { end }),
    ...(location !== undefined && { headers: { location } }),
  }))
