import type { UserError } from '../core/base/problem.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Placement } from '../core/life/placement.ts'
import type { At } from '../ports/berth.ts'
import { LATE, within } from '../ports/deadline.ts'
import type { Answer, DialledPort, Pipe, ScreenSize, ProgramSession } from '../ports/provider.ts'
import type { Store } from '../ports/store.ts'
import { auditBy } from './audit.ts'
import type { Principal, ServiceDeps } from './deps.ts'
import { takeExecSeat } from './exec-seats.ts'
import { refuseUnwalled } from './project-rules.ts'
import { cannot, runningSlot } from './running-slot.ts'

/** A slot to be reached while the signal is not aborted. */
interface ReachAsk {
  readonly at: At
  readonly slot?: string | undefined
  readonly signal: AbortSignal
  readonly requestId: string
}

/** What one end of a tunnel is connected to. */
export type TunnelSource = Pipe & Partial<Pick<ProgramSession, 'ended' | 'resize'>>

/** How long a provider has for opening a connection. */
const OPEN_MS = 30_000
/** The most bytes of one sync. Large data belongs into storage. */
const SYNC_MOST = 8 * 1024 ** 3

/** Runs a program on a terminal next to a running slot. */
export async function openTerminal(
  deps: ServiceDeps,
  actor: Principal,
  ask: ReachAsk & { readonly command: readonly string[]; readonly screen: ScreenSize },
): Promise<TunnelSource> {
  const { command: argv, screen } = ask
  const facts = { program: (argv[0] ?? '').slice(0, 200), arguments: argv.length - 1, terminal: true }
  return withSeat(deps, actor, async () => {
    const placement = await reached(deps, actor, ask)
    await note(deps, actor, { ask, placement, action: 'exec', facts })
    return session(deps, placement, { ask, start: { argv, screen }, what: 'cannot open a terminal' })
  })
}

/** Unpacks an archive, which the caller sends, in a folder of a running slot. */
export async function openSync(
  deps: ServiceDeps,
  actor: Principal,
  ask: ReachAsk & { readonly path: string },
): Promise<TunnelSource> {
  const { path } = ask
  if (path.split('/').includes('..'))
    throw refuse('SYNC_REFUSED', `The path ${path} has a part \`..\`.`, 'Write the folder itself, without `..`.')
  return withSeat(deps, actor, async () => {
    const placement = await reached(deps, actor, ask)
    const { provider } = placement.order.place
    if (path.startsWith('/') && deps.providers.unwalled().includes(provider))
      throw refuse(
        'SYNC_REFUSED',
        `Programs on ${provider} run on its host itself, so that ${path} is a folder of the host.`,
        'Write a path relative to the folder of the workload, for example `.`.',
      )
    await note(deps, actor, { ask, placement, action: 'sync', facts: { path } })
    const start = { argv: ['/bin/sh', '-c', UNPACK, 'sh', path], screen: undefined }
    return limited(await session(deps, placement, { ask, start, what: 'cannot take files' }))
  })
}

/**
 * Goes into the folder, which must not lead out of the one where programs start (by links, for example) unless it is absolute, and
 * unpacks what comes. Owners are not restored.
 */
const UNPACK = `root=$(pwd -P) && mkdir -p -- "$1" && cd -- "$1" || exit 96
case "$1" in /*) ;; *) case "$(pwd -P)/" in "\${root%/}"/*) ;; *) exit 97 ;; esac ;; esac
command -v tar > /dev/null || exit 98
exec tar -xof -`

/** Connects to a port of a running slot. */
export async function openPort(
  deps: ServiceDeps,
  actor: Principal,
  ask: ReachAsk & { readonly port: number },
): Promise<TunnelSource> {
  const placement = await reached(deps, actor, ask)
  const { tag, ports, place } = placement.order
  const port: DialledPort = { port: ask.port, name: ports.find((one) => one.port === ask.port)?.name }
  if (isNews(deps, [actor.name, tag.attempt, ask.port].join(' ')))
    await note(deps, actor, { ask, placement, action: 'port', facts: { port: ask.port } })
  const call = { signal: ask.signal, requestId: ask.requestId }
  const source = { provider: place.provider, ref: { tag, instance: placement.instance } }
  const dialling = deps.providers.dial?.(source, port, call)
  if (dialling === undefined) throw cannot(deps, placement, 'does not let Berth connect to ports')
  return opened(deps, dialling, (message, isWrong) => {
    const stated = ports.map((one) => `${one.name} ${one.port}`).join(', ') || 'none'
    return isWrong
      ? refuse('PORT_IMPOSSIBLE', message, `Ports in the manifest: ${stated}.`)
      : refuse('PORT_CLOSED', message, `What it printed: berth logs ${ask.at.name}`)
  })
}

async function reached(deps: ServiceDeps, actor: Principal, ask: ReachAsk): Promise<Placement> {
  const placement = await runningSlot(deps, ask)
  const { provider } = placement.order.place
  await refuseUnwalled(deps, actor, { project: ask.at.project, provider })
  return placement
}

interface SessionAsk {
  readonly ask: ReachAsk
  readonly start: { readonly argv: readonly string[]; readonly screen: ScreenSize | undefined }
  readonly what: string
}

async function session(
  deps: ServiceDeps,
  placement: Placement,
  { ask, start, what }: SessionAsk,
): Promise<ProgramSession> {
  const { tag, place } = placement.order
  const source = { provider: place.provider, ref: { tag, instance: placement.instance } }
  const starting = deps.providers.session?.(source, start, { signal: ask.signal, requestId: ask.requestId })
  if (starting === undefined) throw cannot(deps, placement, what)
  return opened(deps, starting, (message) => refuse('EXEC_FAILED', message))
}

async function opened<T>(
  { timers }: ServiceDeps,
  opening: Promise<Answer<T>>,
  failure: (message: string, isWrong: boolean) => UserError,
): Promise<T> {
  const settled = opening.catch((error: unknown) => ({ ok: false as const, error }))
  const answer = await within({ timers, ms: OPEN_MS }, settled)
  if (answer === LATE) throw failure('The provider did not connect within 30 s.', false)
  if (answer.ok) return answer.value
  if (!('fault' in answer)) throw failure('The provider did not answer.', false)
  throw failure(answer.fault.message, answer.fault.class === 'BAD_REQUEST')
}

/** A program that is written to takes the place of a command until it has ended. */
async function withSeat(
  { store }: ServiceDeps,
  actor: Principal,
  open: () => Promise<TunnelSource>,
): Promise<TunnelSource> {
  const leave = takeExecSeat(store, actor)
  try {
    const source = await open()
    void (source.ended ?? Promise.resolve()).then(leave, leave)
    return source
  } catch (error) {
    leave()
    throw error
  }
}

/** The same session, which takes no more than may be sent. */
function limited(given: ProgramSession): ProgramSession {
  let bytes = 0
  return {
    ...given,
    write: (piece) => {
      bytes += piece.length
      if (bytes > SYNC_MOST) throw refuse('SYNC_REFUSED', 'More than 8 GiB were sent.')
      return given.write(piece)
    },
  }
}

/** Connections to ports that were recorded, by control plane, identified by its one store. */
const TOLD = new WeakMap<Store, Map<string, number>>()
const AGAIN_MS = 3_600_000
const TOLD_MOST = 10_000

/** Whether it has to be recorded: a browser opens dozens of connections, and one entry an hour says the same. */
function isNews({ store, clock }: ServiceDeps, what: string): boolean {
  const told = TOLD.get(store) ?? new Map<string, number>()
  TOLD.set(store, told)
  const nowMs = clock.nowMs()
  if (nowMs - (told.get(what) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) return false
  if (told.size >= TOLD_MOST) told.clear()
  told.set(what, nowMs)
  return true
}

interface Noted {
  readonly ask: ReachAsk
  readonly placement: Placement
  readonly action: 'exec' | 'port' | 'sync'
  readonly facts: Readonly<Record<string, string | number | boolean>>
}

async function note(
  { store, clock }: ServiceDeps,
  actor: Principal,
  { ask: { at }, placement, action, facts }: Noted,
): Promise<void> {
  const entry = {
    project: at.project,
    subject: `workload/${at.name}`,
    facts: { slot: placement.order.tag.slot, ...facts },
  }
  await store.commit({ writes: [], audit: [auditBy(actor, { atMs: clock.nowMs(), action, ...entry })] })
}
