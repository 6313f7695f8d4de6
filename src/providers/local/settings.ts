import { nearest } from '../../core/document/nearest.ts'
import { parseCpu, parseMemoryGib, type Amount } from '../../core/base/units.ts'
import type { PortRange } from './process/free-port.ts'
import type { RuntimeName } from './runtime.ts'

/** How this host is used. Undefined: as detected. */
export interface LocalSettings {
  readonly runtime: RuntimeName | 'auto'
  readonly region: string | undefined
  readonly cpu: number | undefined
  readonly memoryGib: number | undefined
  readonly gpus: DeclaredGpus | undefined
  readonly ports: PortRange
  readonly directory: string | undefined
  readonly logMib: number
  readonly inbound: boolean
  /** Before the engine's own command, and after `run`; undefined: found by trying. */
  readonly engineFlags: readonly string[] | undefined
  readonly runFlags: readonly string[] | undefined
}

/** Cards that are declared, or listed in a file with the output of nvidia-smi. */
type DeclaredGpus =
  | { readonly kind: 'cards'; readonly models: readonly string[] }
  | { readonly kind: 'file'; readonly path: string }

export type LocalSettingsRead =
  | { readonly ok: true; readonly settings: LocalSettings }
  | { readonly ok: false; readonly problems: readonly string[] }

/** Reads settings as users write them; reports all problems at once. */
export function readSettings(written: Readonly<Record<string, unknown>>): LocalSettingsRead {
  const reader = new Reader(written)
  const settings: LocalSettings = {
    runtime: reader.word('runtime', RUNTIMES) ?? 'process',
    region: reader.name('region'),
    cpu: reader.amount('cpu', parseCpu),
    memoryGib: reader.amount('memory', parseMemoryGib),
    gpus: reader.gpus('gpus'),
    ports: reader.range('ports') ?? { from: 20_000, to: 29_999 },
    directory: reader.directory('directory'),
    logMib: (reader.amount('log', parseMemoryGib) ?? 16 / 1024) * 1024,
    inbound: reader.flag('inbound') ?? true,
    engineFlags: reader.texts('engine_flags'),
    runFlags: reader.texts('run_flags'),
  }
  const problems = [...reader.problems, ...reader.strangers()]
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings }
}

const RUNTIMES = ['process', 'podman', 'docker', 'auto'] as const

class Reader {
  readonly problems: string[] = []
  readonly #written: Readonly<Record<string, unknown>>
  readonly #known: string[] = []

  constructor(written: Readonly<Record<string, unknown>>) {
    this.#written = written
  }

  word<T extends string>(key: string, words: readonly T[]): T | undefined {
    return this.#read(key, `must be ${list(words)}`, (value) => words.find((word) => word === value))
  }

  name(key: string): string | undefined {
    const isName = (text: string): boolean => /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(text)
    const must = 'must be a name of at most 63 letters, digits, dots, dashes and underscores'
    return this.#read(key, must, (value) => (typeof value === 'string' && isName(value) ? value : undefined))
  }

  amount(key: string, parse: (text: string) => Amount): number | undefined {
    let hint = ''
    const value = this.#read(
      key,
      () => hint,
      (found) => {
        const amount = parse(typeof found === 'number' ? String(found) : typeof found === 'string' ? found : '')
        if (amount.kind === 'amount') return amount.value
        hint = `is not an amount. ${amount.hint}`
        return undefined
      },
    )
    return value
  }

  gpus(key: string): DeclaredGpus | undefined {
    return this.#read(key, GPUS_FORM, (value) => {
      if (typeof value === 'string' && value !== '') return { kind: 'file', path: value }
      if (Array.isArray(value)) return value.every(isText) ? { kind: 'cards', models: value } : undefined
      if (!isRecord(value)) return undefined
      const { model, count = 1, ...others } = value
      const isCount = typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= 31
      if (!isText(model) || !isCount || Object.keys(others).length > 0) return undefined
      return { kind: 'cards', models: Array.from({ length: count }, () => model) }
    })
  }

  range(key: string): PortRange | undefined {
    return this.#read(key, 'must be a range of port numbers such as 20000-29999', (value) => {
      const match = typeof value === 'string' ? /^(\d{1,5})-(\d{1,5})$/.exec(value) : null
      const [from, to] = [Number(match?.[1]), Number(match?.[2])]
      return match !== null && from >= 1 && from <= to && to <= 65_535 ? { from, to } : undefined
    })
  }

  directory(key: string): string | undefined {
    const isFull = (value: unknown): value is string => isText(value) && value.startsWith('/')
    return this.#read(key, 'must be a path that begins with /', (value) => (isFull(value) ? value : undefined))
  }

  flag(key: string): boolean | undefined {
    return this.#read(key, 'must be true or false', (value) => (typeof value === 'boolean' ? value : undefined))
  }

  texts(key: string): readonly string[] | undefined {
    const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every(isText)
    const must = 'must be a list of arguments such as ["--cgroup-manager", "cgroupfs"]'
    return this.#read(key, must, (value) => (isTexts(value) ? value : undefined))
  }

  strangers(): readonly string[] {
    return Object.keys(this.#written)
      .filter((key) => !this.#known.includes(key))
      .map((key) => {
        const meant = nearest(key, this.#known)
        const how = meant === undefined ? `the settings are ${this.#known.join(', ')}` : `did you mean ${meant}?`
        return `${key}: there is no such setting; ${how}`
      })
  }

  #read<T>(key: string, must: string | (() => string), parse: (value: unknown) => T | undefined): T | undefined {
    this.#known.push(key)
    const value = this.#written[key]
    if (value === undefined) return undefined
    const parsed = parse(value)
    if (parsed === undefined) this.problems.push(`${key}: ${typeof must === 'string' ? must : must()}`)
    return parsed
  }
}

const GPUS_FORM =
  'must be a list of models such as [h100-sxm, h100-sxm], a model and a count of at most 31 such as {model: h100-sxm, count: 8}, [] for none, or the path of a file with the output of nvidia-smi --query-gpu'

function list(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= 1000
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
