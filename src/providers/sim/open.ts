import { readFileSync } from 'node:fs'
import { Dice } from '../../core/base/dice.ts'
import { toPlain } from '../../core/document/plain.ts'
import type { Offer } from '../../core/offer/offer.ts'
import { readYaml } from '../../formats/yaml/yaml.ts'
import { CAN, type Provider, type ProviderDeps } from '../../ports/provider.ts'
import { Cloud } from './cloud.ts'
import { Journal } from './journal.ts'
import { readOffers } from './offers.ts'
import { SimProvider } from './provider.ts'
import type { SimSettings } from './settings.ts'
import { whimsByRate, type Whims } from './whims.ts'

/** A simulated cloud as its settings say, with what it knew before. */
export function openSim(name: string, settings: SimSettings, deps: ProviderDeps): Provider {
  const offers = settings.offers.kind === 'list' ? settings.offers.read(name) : offersIn(settings.offers.path, name)
  const cloud = new Cloud({ ...settings, name, offers, mark: deps.random.id().slice(-6) }, new Dice(settings.seed))
  const journal = new Journal(deps.folder)
  const known = journal.news()
  for (const instance of known) cloud.restore(instance)
  const clock = new CloudClock(deps.clock)
  clock.atLeast(journal.lastMs)
  cloud.forget(clock.nowMs())
  const kept = [...cloud.instances()]
  if (known.length > 2 * kept.length + 64) journal.compact(kept)
  cloud.watch = (instance, _, nowMs) => journal.append(instance, nowMs)
  const { tokens, settleMs, callsPerSecond, groups, watch } = settings
  const queues = settings.queueMs !== undefined
  const flags = {
    spot: true,
    multiNode: true,
    logs: true,
    endedLogs: true,
    secrets: true,
    volumes: true,
    objectStorage: true,
  } as const
  const rendezvous = { kind: 'names', pattern: '{workload}-{group}-{rank}.{project}.sim' } as const
  const can = {
    ...CAN,
    ...flags,
    rendezvous,
    tokens,
    groups,
    watch,
    queues,
    settleMs,
    callsPerSecond,
    burst: 50,
    pollMs: 5000,
  }
  const whims = arriving(whimsByRate(settings.faults, new Dice(settings.seed + 1), settleMs))
  // What another process has written about the same cloud is read right before each action.
  const before = (): void => {
    for (const instance of journal.news()) cloud.restore(instance)
    clock.atLeast(journal.lastMs)
  }
  return new SimProvider({ name, cloud, can, clock, timers: deps.timers, whims, before })
}

/** A cloud has its own clock, which never goes back, whatever happens to the host's. */
class CloudClock {
  readonly #clock: ProviderDeps['clock']
  #baseMs: number

  constructor(clock: ProviderDeps['clock']) {
    this.#clock = clock
    this.#baseMs = clock.nowMs() - clock.tickMs()
  }

  nowMs(): number {
    return Math.floor(this.#baseMs + this.#clock.tickMs())
  }

  atLeast(ms: number): void {
    this.#baseMs += Math.max(0, ms - this.nowMs())
  }
}

/** A request that was sent arrives even if its sender is frozen: the whole latency comes after it. */
function arriving(whims: Whims): Whims {
  return {
    dice: whims.dice,
    course: (ask) => {
      const course = whims.course(ask)
      return { ...course, thereMs: 0, backMs: course.thereMs + course.backMs }
    },
  }
}

function offersIn(path: string, provider: string): readonly Offer[] {
  const read = readYaml(readFileSync(path), path)
  if ('problems' in read) throw new Error(`${path}: ${read.problems[0]?.message ?? 'cannot be read'}`)
  const file = toPlain(read.document.root, [])
  const problems: string[] = []
  const { offers, defaults } = isMap(file) ? file : {}
  const usual = isMap(defaults) ? Object.values(defaults).find(isMap) : undefined
  const listed = Array.isArray(offers)
    ? offers.map((offer: unknown) => (isMap(offer) ? { ...usual, ...offer } : offer))
    : offers
  const made = readOffers(listed, provider, problems)
  if (problems.length > 0) throw new Error(`${path}: ${problems[0]}`)
  return made
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
