import { hostname } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { stringify } from 'yaml'
import { CONFIG_FILE, configFrom, findConfig } from '../cli/inputs.ts'
import type { UpFlags } from '../cli/cli.ts'
import { keepCredentialsApart } from '../service/credentials.ts'
import { answerRotation } from '../service/key-rotation.ts'
import { BILLS_KEPT_MS, forgetBills } from '../service/cost.ts'
import { forgetMarket } from '../service/market.ts'
import { forgetRequests } from '../service/requests.ts'
import type { ServiceDeps } from '../service/deps.ts'
import type { Controller } from '../controller/controller.ts'
import { TUNING } from '../controller/tuning.ts'
import type { Config } from '../core/policy/policy.ts'
import { UserError } from '../core/base/problem.ts'
import type { Clock } from '../ports/clock.ts'
import { within } from '../ports/deadline.ts'
import type { Files } from '../ports/files.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { Terminal } from '../ports/terminal.ts'
import type { Timers } from '../ports/timers.ts'
import { PROVIDER_KINDS } from '../providers/registry.ts'
import { settingPlaces } from './setting-place.ts'
import type { Ballasted } from '../store/ballast.ts'
import { watchedStore, type WatchedStore } from '../store/watched.ts'
import { composePlane, marketNotes, readable } from './compose.ts'
import { DEFAULT_CONFIG } from './config.ts'
import { saveConnection } from './connection.ts'
import { dataFolder, openStore, ownerOf, withBallast } from './data.ts'
import { checkGateway, watchGateway, gatewayUrl, type GatewayWatch } from './gateway.ts'
import { holderOf, isDeadHere } from './holder.ts'
import { isPrivateListen } from './listen.ts'
import { makeLog } from '../cli/log.ts'
import { paperProviders, paperCapacity } from './paper.ts'
import { closedToOthers } from './modes.ts'
import type { OpenPlatform } from './platform.ts'
import { openRecording } from './recording.ts'
import { tellOfSecrets, tellOfUnnamed } from './tell.ts'
import { readTls, renewing, type TlsFiles } from '../server/tls.ts'
import { firstToken } from './token.ts'
import { tellOfUnconfigured } from './unconfigured.ts'
import { openVault } from '../vault/vault.ts'
import { watchedVault } from '../vault/watched-vault.ts'
import { scrubber } from '../vault/scrubber.ts'

/** What the composition root supplies: the same as for every command. */
export interface UpDeps {
  readonly files: Files
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly terminal: Terminal
  readonly env: (name: string) => string | undefined
  /** The entry point of `berth gateway`. */
  readonly gatewayProgram: string
}

const DAY_MS = 86_400_000
/** How long events are kept. */
const EVENTS_KEPT_MS = 30 * DAY_MS
/** How long an idempotency key is remembered. */
const REQUESTS_KEPT_MS = DAY_MS
const REFRESH_MS = 1000
const TIDY_MS = 3_600_000
const LISTED_MS = 60_000

/** Runs the whole control plane in this process until it is told to stop. Returns the exit code. */
export async function up(flags: UpFlags, deps: UpDeps): Promise<number> {
  const { terminal, clock, timers } = deps
  const isPrivate = isPrivateListen(flags)
  const tls = readTls(flags, clock)
  const config = readConfig(flags, deps.files)
  const folder = dataFolder(flags, deps.env)
  await checkGateway(folder, flags)
  const scrub = scrubber()
  const log = makeLog({ write: (line) => terminal.err(scrub.scrub(line)), format: flags.log })
  const place = { flags, folder }
  const disk = withBallast(await closedToOthers(place, log, () => openStore(place, deps.clock)), place, log)
  const watched = watchedStore(disk.store, WATCHED(deps.clock))
  const store = readable(watched.store, log)
  // Before anything else is written to the folder, so that a start killed here does not look like a lost store.
  const owner = await ownerOf(store, deps.random, place)
  const keyFile = flags.vaultKey ?? join(folder, 'vault.key')
  const vault = watchedVault(openVault({ keyFile }), scrub)
  const recording = flags.record === undefined ? undefined : openRecording(flags.record, log)
  const { app, service, controller, platform, keepListed } = composePlane({
    store: watched.store,
    vault,
    ...deps,
    ...flaggedParts(flags, deps),
    log,
    owner,
    config,
    isPrivate,
    tls,
    folder: join(folder, 'providers'),
    paper: paperCapacity({ config, configPath: flags.config, files: deps.files, log }),
    whyNot: watched.whyNot,
    record: recording?.record,
    scrub: scrub.scrub,
  })
  // Before the first request, so that no secret that a project sets can become a credential.
  await keepCredentialsApart({ store, clock })
  const stop = stopSignal()
  // Listen first, lead second: work can be removed even while the controller is still reading the store.
  const url = await listen(app, flags)
  const token = await firstToken(service, place)
  const saved = await saveConnection({ url, token, folder, certificate: tls?.certFile }, deps)
  await tellOfSecrets({ store, vault, log, config: () => config }, keyFile)
  await platform.refresh()
  await tellOfUnnamed(service)
  const keeping = controller.run(stop.signal)
  const certificate = tls?.certFile
  const gateway = await watchGateway({ url, folder, flags, program: deps.gatewayProgram, certificate }, service)
  const lost = [...platform.unopened, ...(await tellOfUnconfigured(service))]
  const providers = [...platform.kept.providers.keys()]
  announce({ url, folder, saved, flags, gateway: gateway?.about(), config, providers, lost }, deps)
  const looping = { deps, stop: stop.signal, log }
  const chores = choresOf({ platform, service, controller, watched, disk, tls, keepListed, gateway }, looping)
  await new Promise<void>((resolve) => stop.signal.addEventListener('abort', () => resolve(), { once: true }))
  terminal.err('stopping; workloads keep running\n')
  await app.close()
  await within({ timers, ms: 5000 }, Promise.all([keeping, ...chores]))
  await Promise.all([platform.close(), recording?.close()])
  await store.close()
  return 0
}

/** The parts of a control plane that follow from its flags alone. */
function flaggedParts(flags: UpFlags, { files, random }: Pick<UpDeps, 'files' | 'random'>) {
  return {
    storeKind: flags.database === undefined ? ('sqlite' as const) : ('postgres' as const),
    kinds: PROVIDER_KINDS,
    holder: holderOf(random.id()),
    isDead: (name: string) => isDeadHere(name),
    mode: { open: flags.dev === true, hosts: flags.host ?? [] },
    settingPlace: settingPlaces(findConfig(flags.config, files)),
    gateway: gatewayUrl(flags),
  }
}

/** A short time without a leader is normal when one control plane follows another; a longer time is not. */
const WATCHED = ({ tickMs }: Clock) => ({ tickMs, leaderlessMs: 2 * TUNING.leaseMs })

/** The infrastructure file that the user named or that is in the current folder; else this host as the only provider. */
function readConfig({ config }: UpFlags, files: Files): Config {
  const text = findConfig(config, files)
  return text === undefined ? { ...configFrom(DEFAULT_CONFIG), isBuiltIn: true } : configFrom(text)
}

function stopSignal(): AbortController {
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      // A second signal ends it at once, which loses nothing either.
      if (stop.signal.aborted) process.exit(130)
      stop.abort()
    })
  }
  return stop
}

function listenAt(listen: string): { readonly host: string; readonly port: number } {
  const [, host, port] = /^(.*):(\d{1,5})$/.exec(listen) ?? []
  if (host === undefined || port === undefined || Number(port) > 65_535) {
    const message = `${listen} is not an address to listen on.`
    throw new UserError([
      { code: 'LISTEN_INVALID', message, found: listen, hint: 'For example: --listen 127.0.0.1:7700' },
    ])
  }
  return { host: host.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(port) }
}

/**
 * How many connections may wait to be accepted; the system may allow fewer. When a flood fills the queue, the kernel drops
 * connections of all clients, and a dropped client tries again only after one, three and seven seconds.
 */
const BACKLOG = 4096

async function listen(app: FastifyInstance, { listen: address, tlsCert }: UpFlags): Promise<string> {
  const at = listenAt(address)
  try {
    const url = await app.listen({ ...at, backlog: BACKLOG })
    return tlsCert === undefined ? url : url.replace(/^http:/, 'https:')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const message = `The address ${address} cannot be used: ${why}`
    const hint = 'Stop the other program, or choose another port: --listen 127.0.0.1:0 picks a free one.'
    throw new UserError([{ code: 'LISTEN_TAKEN', message, found: address, hint }])
  }
}

interface Announcing {
  readonly url: string
  readonly folder: string
  /** Where other commands find the connection, in lines; empty: they need a token. */
  readonly saved: readonly string[]
  readonly flags: UpFlags
  readonly providers: readonly string[]
  /** Where the gateway is, in words; undefined: there is none. */
  readonly gateway: string | undefined
  /** Providers that cannot be used, and those that hold work but are not configured, one line each. */
  readonly lost: readonly string[]
  readonly config: Config
}

function announce(
  { url, folder, saved, flags, gateway, config, providers, lost }: Announcing,
  { terminal }: UpDeps,
): void {
  const without =
    flags.dev === true
      ? 'development mode: all users of this machine, without a token'
      : 'with a token (an administrator runs berth token create)'
  const access = saved.length === 0 ? [without] : saved
  if (flags.output !== undefined && flags.output !== 'text') {
    const data = { url, data: flags.database === undefined ? folder : 'PostgreSQL', providers, access, gateway }
    return terminal.out(flags.output === 'json' ? `${JSON.stringify(data)}\n` : stringify(data))
  }
  const paper = paperProviders(config)
  const lines = [
    `berth is up at ${url}`,
    `  config     ${config.isBuiltIn === true ? 'none: the built-in one' : (flags.config ?? CONFIG_FILE)}`,
    `  data       ${flags.database === undefined ? folder : 'PostgreSQL'}`,
    `  providers  ${providers.length > 0 ? providers.join(', ') : lost.length > 0 ? 'none' : 'none yet (berth provider add)'}`,
    ...(paper.length === 0 ? [] : [`  price list ${paper.join(', ')}: nothing can be launched there (no kind)`]),
    ...(gateway === undefined ? [] : [`  gateway    ${gateway}`]),
    ...lost.map((line) => `  WARNING    ${line}`),
    ...access.map((line, index) => `  ${index === 0 ? 'access' : '      '}     ${line}`),
    '',
    'Next:  berth apply FILE      berth ps      Ctrl-C stops berth; workloads keep running.',
    '',
  ]
  terminal.out(lines.join('\n'))
}

interface Looping {
  readonly deps: UpDeps
  readonly stop: AbortSignal
  readonly log: Log
}

interface Kept {
  readonly platform: OpenPlatform
  readonly service: ServiceDeps
  readonly controller: Controller
  readonly watched: WatchedStore
  readonly disk: Ballasted
  readonly tls: TlsFiles | undefined
  readonly keepListed: () => Promise<void>
  readonly gateway: GatewayWatch | undefined
}

/** The periodic tasks next to the controller. */
function choresOf(kept: Kept, looping: Looping): readonly Promise<void>[] {
  const { platform, service, controller, watched, disk, tls, keepListed, gateway } = kept
  const { deps, stop, log } = looping
  const plane = { id: deps.random.id(), name: `${hostname()}, process ${process.pid}` }
  const answering = { everyMs: REFRESH_MS, act: () => answerRotation(service, plane), failed: UNANSWERED }
  return [
    repeat(looping, { everyMs: REFRESH_MS, act: () => platform.refresh(), failed: 'providers could not be read' }),
    repeat(looping, { everyMs: TIDY_MS, act: () => tidy(service), failed: 'old events could not be removed' }),
    repeat(looping, { everyMs: REFRESH_MS, act: () => probe(watched, disk), failed: 'the store could not be probed' }),
    repeat(looping, { everyMs: LISTED_MS, act: keepListed, failed: 'lists were not prepared', isFirstAtOnce: true }),
    repeat(looping, { everyMs: REFRESH_MS, act: marketNotes(service, controller), failed: 'prices were not noted' }),
    ...(gateway === undefined
      ? []
      : [
          repeat(looping, {
            everyMs: REFRESH_MS,
            act: () => gateway.ensure(),
            failed: 'the gateway could not be kept',
          }),
        ]),
    // Only these can have others beside them.
    ...(service.info().store === 'postgres' ? [repeat(looping, answering)] : []),
    renewing(tls, { timers: deps.timers, stop, log }),
  ]
}

const UNANSWERED = 'a rotation of the key could not be answered'

interface Chore {
  readonly everyMs: number
  readonly act: () => Promise<void>
  /** Logged when it fails; it is repeated anyway. */
  readonly failed: string
  /** It is not waited for the first time. */
  readonly isFirstAtOnce?: boolean
}

async function repeat({ deps, stop, log }: Looping, chore: Chore): Promise<void> {
  const { everyMs, act, failed, isFirstAtOnce = false } = chore
  for (let times = 0; !stop.aborted; times++) {
    if (times > 0 || !isFirstAtOnce) await deps.timers.sleep(everyMs, stop)
    if (stop.aborted) return
    try {
      await act()
    } catch (error) {
      log.warn(failed, { why: error instanceof Error ? error.message : String(error) })
    }
  }
}

/** Probes a failed store until it works again, so that readiness comes back by itself. */
async function probe(watched: WatchedStore, disk: Ballasted): Promise<void> {
  disk.look()
  await watched.probe()
}

async function tidy(service: ServiceDeps): Promise<void> {
  const { store, clock } = service
  await store.prune(clock.nowMs() - EVENTS_KEPT_MS)
  await forgetRequests(service, clock.nowMs() - REQUESTS_KEPT_MS)
  await forgetBills(service, clock.nowMs() - BILLS_KEPT_MS)
  await forgetMarket(service)
}
