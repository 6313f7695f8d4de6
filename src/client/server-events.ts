/** One entry of a stream of server-sent events. */
export interface ServerEvent {
  readonly id: string | undefined
  /** Undefined: an ordinary entry. */
  readonly name: string | undefined
  readonly data: string
}

/** The complete entries, and the incomplete rest. Comments, which are only heartbeats, are left out. */
export function parseEvents(text: string): { readonly events: readonly ServerEvent[]; readonly rest: string } {
  const blocks = text.split('\n\n')
  const rest = blocks.pop() ?? ''
  return { events: blocks.flatMap(parseBlock), rest }
}

function parseBlock(block: string): readonly ServerEvent[] {
  const fields = block.split('\n').flatMap((line) => {
    const [, field, value] = /^(id|event|data): ?(.*)$/.exec(line) ?? []
    return field === undefined ? [] : [{ field, value: value ?? '' }]
  })
  const data = fields.filter(({ field }) => field === 'data').map(({ value }) => value)
  if (data.length === 0) return []
  const last = (name: string) => fields.findLast(({ field }) => field === name)?.value
  return [{ id: last('id'), name: last('event'), data: data.join('\n') }]
}
