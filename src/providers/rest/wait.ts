import type { RefusalWords } from './words.ts'

const WAIT_MOST_MS = 3_600_000
const UNITS_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
/** More seconds than anybody waits: an instant, in seconds since 1970. */
const INSTANT_LEAST = 1_000_000_000

/** How long to wait, as the headers say, or the text: `try again in 6 seconds`, `wait 2 minutes`. */
export function waitIn({ headers, text }: Pick<RefusalWords, 'headers' | 'text'>): number | undefined {
  const stated = headers['retry-after'] ?? headers['ratelimit-reset']
  if (stated !== undefined) return statedWait(stated.trim(), headers['date'])
  const spoken = /(?:again|retry|wait|reset|available)[^.]{0,40}?(\d+(?:\.\d+)?)\s*(s|m|h)(?:ec|in|our|\b)/i.exec(text)
  if (spoken !== null) return most(Number(spoken[1]) * (UNITS_MS[(spoken[2] ?? '').toLowerCase()] ?? 1000))
  const [, seconds] = /retry[ -]after\W{1,3}(\d+(?:\.\d+)?)(?![\w.]|\s*[a-z])/i.exec(text) ?? []
  return seconds === undefined ? undefined : most(Number(seconds) * 1000)
}

/** A number of seconds, or an instant, which counts from when the reply was sent. */
function statedWait(stated: string, sent: string | undefined): number | undefined {
  const isNumber = /^\d+(?:\.\d+)?$/.test(stated)
  if (isNumber && Number(stated) < INSTANT_LEAST) return most(Number(stated) * 1000)
  const waitMs = (isNumber ? Number(stated) * 1000 : Date.parse(stated)) - Date.parse(sent ?? '')
  return Number.isNaN(waitMs) ? undefined : most(Math.max(0, waitMs))
}

function most(ms: number): number {
  return Math.min(WAIT_MOST_MS, Math.ceil(ms))
}

const DEPTH_MOST = 3

/** What a body says in a field of its own, as the header of that name: `retry_after: 30`, `retryAfterMs: 500`. */
export function waitHeader(body: unknown, depth = DEPTH_MOST): Readonly<Record<string, string>> {
  if (typeof body !== 'object' || body === null || depth === 0) return {}
  for (const [key, value] of Object.entries(body)) {
    const unit = /^retryafter(s|secs?|seconds?|ms|millis|milliseconds)?$/.exec(
      key.replaceAll(/[_-]/g, '').toLowerCase(),
    )
    const amount = typeof value === 'string' && /^\d+(?:\.\d+)?s?$/.test(value) ? Number.parseFloat(value) : value
    if (unit !== null && typeof amount === 'number' && amount > 0) {
      return { 'retry-after': `${unit[1]?.startsWith('m') === true ? amount / 1000 : amount}` }
    }
    const inner = waitHeader(value, depth - 1)
    if (inner['retry-after'] !== undefined) return inner
  }
  return {}
}
