import { Dice } from '../core/base/dice.ts'
import { CAN } from '../ports/provider.ts'
import type { Can, Executed, Instance, LogLine, Provider, ProviderDeps, ProviderKind } from '../ports/provider.ts'
import { Cloud } from '../providers/sim/cloud.ts'
import { simKind } from '../providers/sim/kind.ts'
import { SimProvider } from '../providers/sim/provider.ts'
import { simSettings, type SimSettings } from '../providers/sim/settings.ts'
import { defineKind } from '../providers/define-kind.ts'
import type { CloudCall, Fate } from '../providers/sim/whims.ts'

/** A simulated cloud as tests get at it. */
export interface TestCloud {
  readonly cloud: Cloud
  /** What becomes of calls from now on; left out: they are answered. */
  readonly fates: Map<CloudCall, Fate>
  /** What programs print from their start on, instead of what they would. */
  lines: readonly LogLine[] | undefined
}

const RENDEZVOUS = { kind: 'names', pattern: '{workload}-{group}-{rank}' } as const
const ABLE: Can = {
  ...CAN,
  spot: true,
  multiNode: true,
  logs: true,
  endedLogs: true,
  exec: true,
  ports: true,
  secrets: true,
  volumes: true,
  objectStorage: true,
  tokens: true,
  rendezvous: RENDEZVOUS,
  burst: 500,
  pollMs: 5000,
}

/**
 * The shipped kind `sim` without its journal: its settings are read by the same code, its clouds live in memory, and a call
 * takes no time. Programs have an address, and what is run beside them prints its own command line.
 */
export function cloudsInMemory(clouds: Map<string, TestCloud>): ProviderKind {
  return defineKind({
    ...simKind,
    settings: simSettings,
    open: async (name, settings, deps) => opened(clouds, name, { settings, ...deps }),
  })
}

interface Opening extends Pick<ProviderDeps, 'clock' | 'timers'> {
  readonly settings: SimSettings
}

function opened(clouds: Map<string, TestCloud>, name: string, { settings, clock, timers }: Opening): Provider {
  const { offers: from, settleMs, callsPerSecond, tokens } = settings
  if (from.kind === 'file') throw new Error('tests write their offers into the settings')
  const cloud = new Cloud({ ...settings, name, offers: from.read(name) }, new Dice(1))
  const known: TestCloud = { cloud, fates: new Map(), lines: undefined }
  clouds.set(name, known)
  const dice = new Dice(2)
  const course = (ask: CloudCall) => {
    return { fate: known.fates.get(ask) ?? 'answered', thereMs: 0, backMs: 0, laterMs: 0 } as const
  }
  const can = { ...ABLE, tokens, settleMs, callsPerSecond: Math.max(callsPerSecond, 200) }
  return new OpenSim({ name, cloud, can, clock, timers, whims: { dice, course } }, known)
}

class OpenSim extends SimProvider {
  readonly #known: TestCloud

  constructor(parts: ConstructorParameters<typeof SimProvider>[0], known: TestCloud) {
    super(parts)
    this.#known = known
    const { describe, list } = this
    this.describe = async (ref, call) => {
      const answer = await describe(ref, call)
      return !answer.ok || answer.value.state === 'absent' ? answer : { ok: true, value: reachable(answer.value) }
    }
    this.list = async (owner, call) => {
      const answer = await list(owner, call)
      if (!answer.ok) return answer
      return { ok: true, value: { ...answer.value, instances: answer.value.instances.map(reachable) } }
    }
  }

  override async *logs(...[ref, want, call]: Parameters<SimProvider['logs']>): ReturnType<SimProvider['logs']> {
    const { lines } = this.#known
    if (lines === undefined) return yield* super.logs(ref, want, call)
    yield* lines.slice(-(want.tail ?? lines.length))
  }

  readonly exec: NonNullable<Provider['exec']> = async (_, argv) => {
    const isWell = argv[0] !== 'false'
    const value: Executed = { code: isWell ? 0 : 1, out: `${argv.join(' ')}\n`, err: isWell ? '' : 'no\n' }
    return { ok: true, value }
  }
}

function reachable<T extends Instance>(instance: T): T {
  const slot = instance.tag.slot.replaceAll(/\D/g, '') || '0'
  return instance.state === 'up'
    ? { ...instance, ports: { http: { host: '127.0.0.1', port: Number(`3123${slot}`), tls: false } } }
    : instance
}
