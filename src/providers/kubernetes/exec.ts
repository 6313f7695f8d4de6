import * as z from 'zod'
import type { Answer, Call, Executed, ScreenSize, ProgramSession, SessionStart } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'
import { inNamespace } from './api/paths.ts'
import { WebSocketStream } from './api/web-socket.ts'
import { MAIN } from './names.ts'

/** What each message begins with. */
const CHANNEL = { in: 0, out: 1, err: 2, end: 3, size: 4, close: 255 } as const
/** The protocol in which one direction can be closed. */
const CLOSES = 'v5.channel.k8s.io'
const PROTOCOLS = [CLOSES, 'v4.channel.k8s.io']
const OUTPUT_MOST = 16 * 1024 * 1024

export interface ExecAt {
  readonly client: KubeClient
  readonly namespace: string
  readonly name: string
  /** Left out: that of the workload. */
  readonly container?: string
}

/** Runs a program in the container of the workload, and returns what it printed. */
export async function execIn(at: ExecAt, argv: readonly string[], call: Call): Promise<Answer<Executed>> {
  const opened = await open(at, { command: argv, stdout: true, stderr: true }, call)
  if (!opened.ok) return opened
  const parts: Readonly<Record<1 | 2, Buffer[]>> = { [CHANNEL.out]: [], [CHANNEL.err]: [] }
  let bytes = 0
  let end: Ending | undefined
  for await (const message of opened.socket.messages()) {
    const [channel = -1] = message
    const data = message.subarray(1)
    bytes += data.length
    if (bytes > OUTPUT_MOST) return cut(opened.socket, 'It printed more than 16 MiB.')
    if (channel === CHANNEL.out || channel === CHANNEL.err) parts[channel].push(data)
    if (channel === CHANNEL.end) end = endingIn(data)
  }
  opened.socket.close()
  if (end === undefined) return fault('TRANSIENT', 'The connection ended before the program did.')
  if (end.code === undefined) return fault('BAD_REQUEST', end.message)
  const [out, err] = [parts[CHANNEL.out], parts[CHANNEL.err]].map((each) => Buffer.concat(each).toString('utf8'))
  return { ok: true, value: { code: end.code, out: out ?? '', err: err ?? '' } }
}

/** A program that is written to while it runs. */
export async function sessionIn(
  at: ExecAt,
  { argv, screen }: SessionStart,
  call: Call,
): Promise<Answer<ProgramSession>> {
  const tty = screen !== undefined
  const opened = await open(at, { command: argv, stdin: true, stdout: true, stderr: !tty, tty }, call)
  if (!opened.ok) return opened
  const { socket, protocol } = opened
  if (!tty && protocol !== CLOSES)
    return cut(socket, 'The cluster cannot tell a program that its input has ended; that needs Kubernetes 1.30.')
  const resize = ({ rows, columns }: ScreenSize): void =>
    void socket.send(message(CHANNEL.size, Buffer.from(JSON.stringify({ Width: columns, Height: rows }))))
  if (tty) resize(screen)
  const { promise: ended, resolve } = Promise.withResolvers<number | undefined>()
  call.signal.addEventListener('abort', () => socket.destroy(), { once: true })
  const end = (): void => {
    if (protocol === CLOSES) void socket.send(Buffer.from([CHANNEL.close, CHANNEL.in]))
  }
  return {
    ok: true,
    value: {
      output: shown(socket, resolve),
      write: (bytes) => socket.send(message(CHANNEL.in, bytes)),
      end,
      resize: tty ? resize : () => undefined,
      ended,
    },
  }
}

function message(channel: number, data: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([channel]), data])
}

async function* shown(socket: WebSocketStream, ended: (code: number | undefined) => void): AsyncGenerator<Uint8Array> {
  let end: Ending | undefined
  try {
    for await (const [channel, ...rest] of parted(socket)) {
      if (channel === CHANNEL.out || channel === CHANNEL.err) yield* rest
      if (channel === CHANNEL.end) end = endingIn(Buffer.concat(rest))
    }
  } catch {
    // The connection was cut: how the program ended is not known.
  } finally {
    socket.destroy()
    ended(end?.code)
  }
  if (end !== undefined && end.code === undefined) throw new Error(end.message)
}

async function* parted(socket: WebSocketStream): AsyncGenerator<readonly [number, Buffer]> {
  for await (const part of socket.messages()) yield [part[0] ?? -1, part.subarray(1)]
}

type Opened =
  | { readonly ok: true; readonly socket: WebSocketStream; readonly protocol: string }
  | Extract<Answer<never>, { readonly ok: false }>

async function open(
  { client, namespace, name, container = MAIN }: ExecAt,
  query: Readonly<Record<string, boolean | readonly string[]>>,
  call: Call,
): Promise<Opened> {
  const path = inNamespace(namespace, 'pods', name, 'exec')
  const reply = await client.upgrade({ method: 'GET', path, query: { container, ...query } }, PROTOCOLS, call)
  if (!reply.ok) return { ok: false, fault: reply.fault }
  return { ok: true, socket: new WebSocketStream(reply.socket, reply.head), protocol: reply.protocol }
}

interface Ending {
  /** Undefined: the program could not be run. */
  readonly code: number | undefined
  readonly message: string
}

function endingIn(data: Buffer): Ending {
  const { data: status } = endForm.safeParse(parsed(data.toString('utf8')))
  if (status === undefined) return { code: undefined, message: 'It ended in a way that Berth does not understand.' }
  if (status.status === 'Success') return { code: 0, message: '' }
  const stated = status.details?.causes?.find(({ reason }) => reason === 'ExitCode')?.message
  return {
    code: stated === undefined ? undefined : Number(stated),
    message: status.message ?? 'The program could not be run.',
  }
}

const endForm = z.object({
  status: z.string(),
  message: z.string().optional(),
  details: z
    .object({ causes: z.array(z.object({ reason: z.string().optional(), message: z.string().optional() })).optional() })
    .optional(),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function cut(socket: WebSocketStream, message: string): Extract<Answer<never>, { readonly ok: false }> {
  socket.destroy()
  return fault('BAD_REQUEST', message)
}

function fault(name: 'BAD_REQUEST' | 'TRANSIENT', message: string): Extract<Answer<never>, { readonly ok: false }> {
  return { ok: false, fault: { class: name, message: message.slice(0, 500) } }
}
