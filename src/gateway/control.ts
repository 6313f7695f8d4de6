import { lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'

/** What a running gateway says of itself. */
export interface GatewayStatus {
  readonly pid: number
  readonly listen: string
  /** Version and flags: a gateway with the same ones need not be replaced. */
  readonly settings: string
  readonly services: number
  readonly connections: number
  readonly connected: boolean
}

/** What others may tell a gateway. `replace`: starts the program as its successor, on the same socket. */
export type ControlRequest =
  | { readonly ask: 'status' }
  | { readonly ask: 'stop' }
  | { readonly ask: 'replace'; readonly command: readonly string[] }

const ANSWER_MS = 2000
/** The longest path of a socket is a little longer. */
const PATH_MAX = 100

/** The socket over which the gateway of a folder is spoken to. */
function controlPath(folder: string): string {
  const path = join(folder, 'control.sock')
  if (path.length <= PATH_MAX) return path
  return join(ownFolder(), `${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`)
}

/** Among temporary files, but of this user alone: others must not be able to answer in the place of a gateway. */
function ownFolder(): string {
  const uid = process.getuid?.() ?? 0
  const folder = join(tmpdir(), `berth-gateway-${uid}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const found = lstatSync(folder)
  if (!found.isDirectory() || found.uid !== uid || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} belongs to another user or is open to others: remove it, or use a shorter --data`)
  return folder
}

/** Asks the gateway of a folder. Undefined: there is none. */
export function askGateway(folder: string, request: ControlRequest): Promise<GatewayStatus | undefined> {
  return new Promise((resolve) => {
    const socket = connect(controlPath(folder))
    let text = ''
    socket.setTimeout(ANSWER_MS, () => socket.destroy())
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`))
    socket.on('data', (bytes) => (text += bytes.toString('utf8')))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(statusIn(text)))
  })
}

function statusIn(text: string): GatewayStatus | undefined {
  try {
    const read: unknown = JSON.parse(text)
    // Only a gateway of this user can listen in the folder.
    return typeof read === 'object' && read !== null && 'pid' in read ? (read as GatewayStatus) : undefined
  } catch {
    return undefined
  }
}

/** Answers on the control socket of a folder, in the place of whoever did before. */
export function answerControl(
  folder: string,
  answer: (request: ControlRequest) => GatewayStatus,
): Promise<Server | undefined> {
  const path = controlPath(folder)
  const own = `${path}.${process.pid}`
  const server = createServer((socket) => {
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8')
      if (!text.includes('\n')) return
      const request = requestIn(text)
      socket.end(request === undefined ? '{}' : JSON.stringify(answer(request)))
    })
  })
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    rmSync(own, { force: true })
    server.listen(own, () => {
      renameSync(own, path)
      resolve(server)
    })
  })
}

function requestIn(text: string): ControlRequest | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const asks = typeof read === 'object' && read !== null && 'ask' in read ? read.ask : undefined
    // Whoever can write here is the same user.
    return asks === 'status' || asks === 'stop' || asks === 'replace' ? (read as ControlRequest) : undefined
  } catch {
    return undefined
  }
}
