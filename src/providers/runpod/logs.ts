import type { LogLine } from '../../ports/provider.ts'

/**
 * Events as RunPod sends them: `id: 2026-06-01T12:02:03Z/000000000001`, `data: {"ts":"…","source":"container","line":"…"}`. One that is
 * cut off at the end is left for the next reading.
 */
export function linesInEvents(text: string, after: string | undefined): readonly LogLine[] {
  const blocks = text.replaceAll('\r\n', '\n').split('\n\n')
  const lines = blocks.flatMap((block, index) => lineIn(block, index === blocks.length - 1) ?? [])
  // The stream goes on from a mark; whether with the line itself is not said.
  return lines.filter(({ mark }) => after === undefined || mark !== after)
}

function lineIn(block: string, isLast: boolean): LogLine | undefined {
  const fields = block.split('\n').map((each) => /^(id|data): ?(.*)$/.exec(each))
  const id = fields.find((field) => field?.[1] === 'id')?.[2]
  const data = fields.flatMap((field) => (field?.[1] === 'data' ? [field[2]] : [])).join('\n')
  const said = data === '' ? undefined : objectIn(data)
  if (said === undefined || typeof said['line'] !== 'string' || (isLast && id === undefined)) return undefined
  if (said['source'] !== undefined && said['source'] !== 'container') return undefined
  const atMs = Date.parse(typeof said['ts'] === 'string' ? said['ts'] : '')
  const mark = markOf(id)
  return {
    atMs: Number.isNaN(atMs) ? undefined : atMs,
    stream: 'out',
    text: said['line'].replace(/\r?\n$/, ''),
    ...(mark !== undefined && { mark }),
  }
}

function objectIn(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    // Proven: an object that is no list has keys.
    return typeof value === 'object' && value !== null ? (value as Partial<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}

/** Marks have no slash. */
function markOf(id: string | undefined): string | undefined {
  const mark = id?.trim().replace('/', '_')
  return mark !== undefined && /^[\w.:-]{1,64}$/.test(mark) ? mark : undefined
}

/** The name of the event that a mark stands for. */
export function eventOf(mark: string): string {
  return mark.replace('_', '/')
}
