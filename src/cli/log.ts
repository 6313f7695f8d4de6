import type { Log, LogFields } from '../ports/log.ts'

/** Lines for machines (one JSON object each) or for people. */
export type LogFormat = 'json' | 'text'

type Level = 'info' | 'warn' | 'error'

/** A log that writes whole lines. */
export function makeLog({
  write,
  format,
}: {
  readonly write: (line: string) => void
  readonly format: LogFormat
}): Log {
  const line = format === 'json' ? jsonLine : textLine
  const at =
    (level: Level) =>
    (message: string, fields: LogFields = {}): void =>
      write(line(level, message, fields))
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

function jsonLine(level: Level, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`
}

function textLine(level: Level, message: string, fields: LogFields): string {
  const { route, status, ms, request_id: request, ...others } = fields
  // There are many requests, so their lines are short.
  const isRequest = message === 'request' && route !== undefined
  const head = isRequest ? `${route} ${status} ${ms} ms` : `${level}: ${message}`
  const told = Object.entries(isRequest ? { request, ...others } : fields)
  const facts = told.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  // One line per entry: text from a provider must not be able to fake a second line.
  return `${[head, ...facts].join(' ').replaceAll(/\p{Cc}+/gu, ' ')}\n`
}
