import type { Exit } from '../../../core/life/call/exit.ts'
import type { Fault } from '../../../core/life/call/fault.ts'
import { readNote, type Note } from '../note.ts'
import { exitOfCode } from '../process/process-state.ts'
import { loopback, type Run } from '../runtime.ts'
import { NOTE_LABEL } from './args.ts'
import { lastLine } from './cli.ts'

/** A container of ours as `inspect` shows it. */
export interface Container {
  readonly run: Run
  /** It was created but never started: its creator was interrupted. */
  readonly isUnstarted: boolean
  /** Its data is being fetched; after that it is started. */
  readonly isFetching?: true
  readonly endedMs: number | undefined
}

/** Reads the output of `inspect`, of podman and docker alike. Undefined for an entry: it cannot be understood. */
export function readContainers(text: string): readonly (Container | undefined)[] {
  const parsed: unknown = text.trim() === '' ? [] : JSON.parse(text)
  return Array.isArray(parsed) ? parsed.map(containerOf) : [undefined]
}

function containerOf(entry: unknown): Container | undefined {
  const note = readNote(textAt(entry, ['Config', 'Labels', NOTE_LABEL]) ?? '')
  const status = textAt(entry, ['State', 'Status'])
  if (note === undefined || status === undefined) return undefined
  const state = STATES[status] ?? 'ended'
  return {
    run: {
      note,
      state,
      exit: state === 'ended' ? exitIn(entry) : undefined,
      ports: state === 'up' ? portsIn(entry, note) : {},
    },
    isUnstarted: status === 'created' || status === 'configured' || status === 'initialized',
    endedMs: state === 'ended' ? Date.parse(textAt(entry, ['State', 'FinishedAt']) ?? '') : undefined,
  }
}

/** Any other state (`exited`, `stopped`, `dead`, `removing`) no longer runs. */
const STATES: Readonly<Record<string, Run['state']>> = {
  created: 'starting',
  configured: 'starting',
  initialized: 'starting',
  running: 'up',
  paused: 'up',
  restarting: 'up',
  stopping: 'up',
}

function exitIn(entry: unknown): Exit | undefined {
  if (at(entry, ['State', 'OOMKilled']) === true) return { kind: 'out-of-memory' }
  const code = at(entry, ['State', 'ExitCode'])
  return typeof code === 'number' ? exitOfCode(code) : undefined
}

function portsIn(entry: unknown, { ports }: Note): Run['ports'] {
  const addresses = ports.flatMap(({ name, port }) => {
    const host = textAt(entry, ['NetworkSettings', 'Ports', `${port}/tcp`, '0', 'HostPort'])
    return host === undefined ? [] : [[name, loopback(Number(host))] as const]
  })
  return Object.fromEntries(addresses)
}

/** Why a container did not start, from the output of the engine. */
export function faultOf(complaint: string): Fault {
  const message = lastLine(complaint) || 'The engine did not say why.'
  if (OUR_FAULT.test(complaint)) return { class: 'BAD_REQUEST', message }
  // An image that cannot be fetched says nothing about this host: other work may still be placed here.
  return { class: 'TRANSIENT', message, ...(IMAGE.test(complaint) && { scope: 'none' }) }
}

/** The image or the program does not exist, or the order is invalid. */
const IMAGE = /initializing source|container registry|pulling image|pull access/i

const OUR_FAULT =
  /manifest unknown|name unknown|repository .* not found|not found: manifest|invalid reference format|did not resolve to an alias|no such image|pull access denied|requested access to the resource is denied|executable file .*not found|command that was not found|no such file or directory: OCI|exec format error|invalid argument|permission denied: OCI runtime command/i

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = at(value, path)
  return typeof found === 'string' ? found : undefined
}

function at(value: unknown, path: readonly string[]): unknown {
  let found: unknown = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = new Map(Object.entries(found)).get(key)
  }
  return found
}
