import type { Config } from '../core/policy/policy.ts'
import type { ControllerPlatform, PlatformProvider } from './deps.ts'
import type { ProviderGates } from './provider-gates.ts'
import type { PlatformFacts } from './step/event.ts'

interface Known {
  readonly record: PlatformProvider
  readonly isDown: boolean
}

/** Notices when the platform differs from what was last noticed. It is asked at every turn, so the usual case is cheap. */
export class PlatformWatch {
  readonly #gates: ProviderGates
  #known: readonly Known[] = []
  #config: Config | undefined
  #isAlone = false
  #isFirst = true

  constructor(gates: ProviderGates) {
    this.#gates = gates
  }

  /** The platform if it has changed since the last call. */
  news({ providers, config, isAlone = false }: ControllerPlatform): PlatformFacts | undefined {
    const now = [...providers.values()].map((record) => ({ record, isDown: this.#gates.of(record.provider).isDown }))
    const isSame = isSameConfig(this.#config, config) && this.#isAlone === isAlone && isEqual(this.#known, now)
    this.#config = config
    if (isSame && !this.#isFirst) return undefined
    this.#isFirst = false
    this.#known = now
    this.#isAlone = isAlone
    return { providers: now.map(factsOf), config: config && withoutSettings(config), isAlone }
  }
}

function factsOf({ record: { provider, state }, isDown }: Known): PlatformFacts['providers'][number] {
  const { name, can, unwalled } = provider
  return { provider: { name, can, ...(unwalled !== undefined && { unwalled }) }, state, isDown }
}

/** How a provider is reached and with which credential is of no concern to decisions. */
function withoutSettings(config: Config): Config {
  return {
    ...config,
    providers: config.providers.map((provider) => ({ ...provider, settings: {}, credential: undefined })),
  }
}

function isEqual(before: readonly Known[], now: readonly Known[]): boolean {
  if (before.length !== now.length) return false
  return now.every(({ record, isDown }, index) => {
    const known = before[index]
    return known?.record.provider === record.provider && known.record.state === record.state && known.isDown === isDown
  })
}

/** The same settings may be read again. */
function isSameConfig(before: Config | undefined, now: Config | undefined): boolean {
  return before === now || JSON.stringify(before) === JSON.stringify(now)
}
