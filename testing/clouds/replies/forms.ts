/** A reply to an order, and what it means: the class, and whether something was created. `text/html` is the type of a page. */
export type UnseenReply = readonly [
  kind: string,
  about: string,
  status: number,
  body: unknown,
  means: string,
  type?: 'text/html',
]

type Rest<T> = T extends readonly [string, ...infer More] ? More : never

/** Replies of one kind. */
export function repliesOf(kind: string, replies: readonly Readonly<Rest<UnseenReply>>[]): readonly UnseenReply[] {
  return replies.map(([about, status, body, means, type]): UnseenReply =>
    type === undefined ? [kind, about, status, body, means] : [kind, about, status, body, means, type],
  )
}

type Held = readonly [kind: string, status: number, body: unknown, means: string]

/** Replies of several kinds, each told by its end. */
export function told(replies: readonly Held[]): readonly UnseenReply[] {
  return replies.map(([kind, status, body, means]): UnseenReply => {
    const about = (typeof body === 'string' ? body.slice(-120) : JSON.stringify(body)).slice(0, 120)
    return [kind, about, status, body, means]
  })
}

// The forms in which each of them refuses.

export const page = (title: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title></head><body><center><h1>${title}</h1></center><hr>nginx</body></html>`
export const problem = (status: number, detail: string, more: object = {}): unknown => ({
  title: 'Error',
  status,
  detail,
  ...more,
})
export const coded = (code: string, message: string, more: object = {}): unknown => ({
  error: { code, message },
  ...more,
})
export const vast = (error: string, msg: string, more: object = {}): unknown => ({
  success: false,
  error,
  msg,
  ...more,
})
export const yotta = (code: number | string, message: string, data: unknown = null): unknown => ({
  message,
  code,
  data,
})
export const droplet = (id: string, message: string, more: object = {}): unknown => ({
  id,
  message,
  request_id: 'r-1',
  ...more,
})
export const ec2 = (code: string, message: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>0-1</RequestID></Response>`
export const fleet = (inside: string): string =>
  `<CreateFleetResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>r</requestId><fleetId>fleet-1</fleetId>${inside}</CreateFleetResponse>`
export const kube = (code: number, reason: string, message: string): unknown => ({
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message,
  reason,
  code,
  ...(code === 429 && { details: { retryAfterSeconds: 1 } }),
})
