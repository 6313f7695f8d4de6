import { join } from 'node:path'
import { platformOf, providersOf, readPlatform, type PlatformRows, type WantedProvider } from '../service/platform.ts'
import { credentialReader } from '../service/credentials.ts'
import type { ServiceProviders } from '../service/deps.ts'
import type { ControllerPlatform, PlatformProvider } from '../controller/deps.ts'
import type { ProviderGates } from '../controller/provider-gates.ts'
import { unwalledIn } from '../controller/rules.ts'
import { onlyAdministrators } from '../service/tokens.ts'
import type { Config } from '../core/policy/policy.ts'
import type { ProviderCheck, ProviderView } from '../ports/berth.ts'
import type { Call, Instance, Inventory, Provider, ProviderDeps, ProviderKind } from '../ports/provider.ts'
import type { Vault } from '../ports/secret.ts'
import type { Store } from '../ports/store.ts'
import { credentialProblem, problemText, readSettings, type SettingProblem } from '../providers/settings.ts'

export interface PlatformParts extends Omit<ProviderDeps, 'folder' | 'credential'> {
  readonly store: Store
  readonly vault: Vault
  readonly kinds: readonly ProviderKind[]
  readonly config: Config | undefined
  /** Each provider gets a folder inside it. */
  readonly folder: string
  readonly owner: string
  /** Only this machine can connect. */
  readonly isPrivate: boolean
  /** The line of the infrastructure file that has this setting of a provider; left out: there is no such file. */
  readonly settingPlace?: (provider: string, path: SettingProblem['path']) => string | undefined
}

const EMPTY: PlatformRows = { providers: [], policies: [], projects: [], states: new Map() }

interface Opened {
  readonly fingerprint: string
  readonly wanted: WantedProvider
  /** Undefined: it could not be opened; `problem` says why. */
  readonly provider: Provider | undefined
  readonly problem: string | undefined
}

/** The providers of this process, from the infrastructure file and the store: opened when they appear, closed when they go. */
export class OpenPlatform {
  readonly #parts: PlatformParts
  readonly #opened = new Map<string, Opened>()
  #rows: PlatformRows = EMPTY
  #kept: ControllerPlatform

  constructor(parts: PlatformParts) {
    this.#parts = parts
    this.#kept = { providers: new Map(), config: platformOf(parts.config, EMPTY) }
  }

  get kept(): ControllerPlatform {
    return this.#kept
  }

  /** Providers that could not be opened, and why: one line each. */
  get unopened(): readonly string[] {
    return [...this.#opened.values()].flatMap(({ wanted: { name }, problem }) =>
      problem === undefined ? [] : [`provider ${name} cannot be used: ${problem}`],
    )
  }

  /** Reads which providers there should be, and opens and closes accordingly. One that fails never stops the others. */
  async refresh(): Promise<void> {
    const { store, config } = this.#parts
    this.#rows = await readPlatform(store)
    const wanted = providersOf(config, this.#rows)
    for (const one of wanted) await this.#open(one)
    const names = new Set(wanted.map(({ name }) => name))
    for (const [name, { provider }] of this.#opened) {
      if (names.has(name)) continue
      this.#opened.delete(name)
      await provider?.close?.()
    }
    const providers = [...this.#opened.values()].flatMap(
      ({ provider, wanted: { state } }): readonly PlatformProvider[] =>
        provider === undefined ? [] : [{ provider, state }],
    )
    this.#kept = {
      providers: new Map(providers.map((kept) => [kept.provider.name, kept])),
      // The controller itself reads limits that were set through the API: here they could be out of date.
      config: { ...platformOf(config, this.#rows), projects: config?.projects ?? [] },
      isAlone: this.#parts.isPrivate && (await onlyAdministrators(this.#parts)),
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.values()].map(({ provider }) => provider?.close?.()))
  }

  /** What the use cases need of providers. */
  service(gates: ProviderGates, offersOf: (provider: string) => number): ServiceProviders {
    const { kinds } = this.#parts
    return {
      unwalled: () => unwalledIn(this.#kept),
      views: () => [...this.#opened.values()].map((opened) => viewOf(opened, gates, offersOf)),
      kinds: () => kinds.map(({ kind, about, harmless = [] }) => ({ kind, about, harmless })),
      problemsOf: (kind, settings) => {
        const known = kinds.find((one) => one.kind === kind)
        const read = known && readSettings(known, settings)
        return read === undefined || read.ok ? [] : read.problems.map(problemText)
      },
      test: (name, call) => {
        const opened = this.#opened.get(name)
        return opened && this.#test(opened, call)
      },
      exec: ({ provider, ref }, argv, call) => {
        const there = this.#opened.get(provider)?.provider
        return there?.can.exec === true ? there.exec?.(ref, argv, call) : undefined
      },
      session: ({ provider, ref }, start, call) => {
        const there = this.#opened.get(provider)?.provider
        const isAble = start.screen === undefined || there?.can.terminals === true
        return isAble ? there?.session?.(ref, start, call) : undefined
      },
      dial: ({ provider, ref }, port, call) => this.#opened.get(provider)?.provider?.dial?.(ref, port, call),
      noLogs: (name) => this.#opened.get(name)?.provider?.noLogs,
      logs: ({ provider, ref }, want, call) => this.#opened.get(provider)?.provider?.logs?.(ref, want, call),
    }
  }

  async #open(wanted: WantedProvider): Promise<void> {
    const { kind, settings, credential } = wanted
    const fingerprint = JSON.stringify([kind, settings, credential])
    const before = this.#opened.get(wanted.name)
    if (before?.fingerprint === fingerprint && before.provider !== undefined) {
      this.#opened.set(wanted.name, { ...before, wanted })
      return
    }
    const opening = await this.#tryOpen(wanted)
    if (opening.problem !== undefined && opening.problem !== before?.problem) {
      this.#parts.log.error('a provider cannot be opened', { provider: wanted.name, why: opening.problem })
    }
    await before?.provider?.close?.()
    this.#opened.set(wanted.name, { fingerprint, wanted, ...opening })
  }

  async #tryOpen(wanted: WantedProvider): Promise<Pick<Opened, 'provider' | 'problem'>> {
    const { name, kind, settings, credential } = wanted
    const { kinds, folder, store, vault, ...deps } = this.#parts
    const known = kinds.find((one) => one.kind === kind)
    if (known === undefined) return { provider: undefined, problem: `there is no provider kind ${kind}` }
    const read = readSettings(known, settings)
    if (!read.ok) return { provider: undefined, problem: this.#placed(wanted, read.problems) }
    const secret = credential === undefined ? async () => undefined : credentialReader({ store, vault }, credential)
    try {
      const wrong = credentialProblem(known, await secret(), read.settings)
      if (wrong !== undefined) return { provider: undefined, problem: wrong }
      const opened = await known.open(name, read.settings, { ...deps, folder: join(folder, name), credential: secret })
      return { provider: opened, problem: undefined }
    } catch (error) {
      return { provider: undefined, problem: error instanceof Error ? error.message : String(error) }
    }
  }

  /** What is wrong with settings, and in which line if the infrastructure file states them. */
  #placed({ name, origin }: WantedProvider, problems: readonly SettingProblem[]): string {
    const { settingPlace } = this.#parts
    const placed = problems.map((problem) => {
      const place = origin === 'api' ? undefined : settingPlace?.(name, problem.path)
      return `${place === undefined ? '' : `${place} `}${problemText(problem)}`
    })
    return placed.join('; ')
  }

  async #test({ provider, problem }: Opened, call: Call): Promise<readonly ProviderCheck[]> {
    const { clock, owner } = this.#parts
    if (provider === undefined)
      return [{ check: 'open', ok: false, text: problem ?? 'it could not be opened', took_ms: 0 }]
    const timed = async (check: string, ask: () => Promise<string>): Promise<ProviderCheck> => {
      const startMs = clock.tickMs()
      const [ok, text] = await ask().then(
        (answer) => [true, answer] as const,
        (error: unknown) => [false, error instanceof Error ? error.message : String(error)] as const,
      )
      return { check, ok, text, took_ms: Math.round(clock.tickMs() - startMs) }
    }
    return [
      await timed('offers', async () => {
        const answer = await provider.offers(call)
        if (!answer.ok) throw new Error(`${answer.fault.class}: ${answer.fault.message}`)
        return `${offersIn(answer.value)}${answer.value.complete ? '' : ', incomplete'}`
      }),
      await timed('list', async () => {
        const answer = await provider.list(owner, call)
        if (!answer.ok) throw new Error(`${answer.fault.class}: ${answer.fault.message}`)
        return `${countOf(answer.value.instances)}${answer.value.complete ? '' : ', incomplete'}`
      }),
      ...(await this.#checkups(provider, call)),
      ...lacksOf(provider),
    ]
  }

  /** What a provider says of its own rights. */
  async #checkups(provider: Provider, call: Call): Promise<readonly ProviderCheck[]> {
    const { clock } = this.#parts
    const startMs = clock.tickMs()
    const found = await provider.check?.(call).catch((error: unknown) => {
      return [{ check: 'rights', ok: false, text: error instanceof Error ? error.message : String(error) }]
    })
    return (found ?? []).map((one) => ({ ...one, took_ms: Math.round(clock.tickMs() - startMs) }))
  }
}

function lacksOf({ lacks = [] }: Provider): readonly ProviderCheck[] {
  return lacks.length === 0 ? [] : [{ check: 'lacks', ok: true, text: lacks.join('; '), took_ms: 0 }]
}

/** A full owned machine has a second offer, as it would be when empty, so that a plan can name what is in the way. */
function offersIn({ offers }: Inventory): string {
  const taken = offers.filter(({ capacity, stock }) => capacity === 'owned' && stock?.level === 'full').length
  const more = taken === 0 ? '' : `, and ${taken} more once what runs there has ended`
  return `${counted(offers.length - taken, 'offer')}${more}`
}

/** Ended instances stay listed for a while, so that their logs can be read; they are counted apart. */
function countOf(instances: readonly Instance[]): string {
  const ended = instances.filter(({ state }) => state === 'ended').length
  return `${counted(instances.length - ended, 'instance')} that Berth started${ended === 0 ? '' : `, and ${ended} that have ended`}`
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function viewOf(
  { wanted, provider, problem }: Opened,
  gates: ProviderGates,
  offersOf: (provider: string) => number,
): ProviderView {
  const gate = gates.state(wanted.name)
  const fault = gate?.lastFault
  return {
    name: wanted.name,
    kind: wanted.kind,
    state: wanted.state,
    origin: wanted.origin,
    reachable:
      provider === undefined || gate?.isDown === true ? false : gate?.lastAnswerMs === undefined ? undefined : true,
    last_answer_ms: gate?.lastAnswerMs,
    last_fault: problem ?? (fault && `${fault.class}: ${fault.message}`),
    offers: offersOf(wanted.name),
    instances: 0,
    usd_per_hour: 0,
  }
}
