import type { Log, LogFields } from './ports/log.ts'

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
  // People see what needs them; machines see everything.
  return { info: format === 'json' ? at('info') : () => {}, warn: at('warn'), error: at('error') }
}

function jsonLine(level: Level, message: string, fields: LogFields): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`
}

function textLine(level: Level, message: string, fields: LogFields): string {
  const facts = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  return `${[`${level}:`, message, ...facts].join(' ')}\n`
}
