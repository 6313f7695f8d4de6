import * as z from 'zod'
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

const RUNTIMES = ['process', 'podman', 'docker', 'auto'] as const

const NAME = 'must be a name of at most 63 letters, digits, dots, dashes and underscores'
const RANGE = 'must be a range of port numbers such as 20000-29999'
const DIRECTORY = 'must be a path that begins with /'
const FLAGS = 'must be a list of arguments such as ["--cgroup-manager", "cgroupfs"]'
const GPUS =
  'must be a list of models such as [h100-sxm, h100-sxm], a model and a count of at most 31 such as {model: h100-sxm, count: 8}, [] for none, or the path of a file with the output of nvidia-smi --query-gpu'

const text = z.string().min(1).max(1000)

const cards = z.union(
  [
    text.transform((path) => ({ kind: 'file', path }) as const),
    z.array(text).transform((models) => ({ kind: 'cards', models }) as const),
    z.strictObject({ model: text, count: z.int().min(1).max(31).default(1) }).transform(({ model, count }) => {
      return { kind: 'cards', models: Array.from({ length: count }, () => model) } as const
    }),
  ],
  { error: GPUS },
)

const range = z.string({ error: RANGE }).transform((written, context): PortRange => {
  const match = /^(\d{1,5})-(\d{1,5})$/.exec(written)
  const [from, to] = [Number(match?.[1]), Number(match?.[2])]
  if (match !== null && from >= 1 && from <= to && to <= 65_535) return { from, to }
  context.addIssue(RANGE)
  return z.NEVER
})

const flags = z.array(text, { error: FLAGS }).optional()

/** Settings as users write them. */
export const localSettings = z
  .strictObject({
    runtime: z.enum(RUNTIMES, { error: 'must be process, podman, docker or auto' }).default('process'),
    region: z
      .string({ error: NAME })
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, { error: NAME })
      .optional(),
    cpu: amount(parseCpu).optional(),
    memory: amount(parseMemoryGib).optional(),
    gpus: cards.optional(),
    ports: range.optional(),
    directory: z
      .string({ error: DIRECTORY })
      .startsWith('/', { error: DIRECTORY })
      .max(1000, { error: DIRECTORY })
      .optional(),
    log: amount(parseMemoryGib).optional(),
    inbound: z.boolean({ error: 'must be true or false' }).default(true),
    engine_flags: flags,
    run_flags: flags,
  })
  .transform(
    ({
      runtime,
      region,
      cpu,
      memory,
      gpus,
      ports,
      directory,
      log,
      inbound,
      engine_flags,
      run_flags,
    }): LocalSettings => ({
      runtime,
      region,
      cpu,
      memoryGib: memory,
      gpus,
      ports: ports ?? { from: 20_000, to: 29_999 },
      directory,
      logMib: (log ?? 16 / 1024) * 1024,
      inbound,
      engineFlags: engine_flags,
      runFlags: run_flags,
    }),
  )

/** An amount with its unit, or a bare number. */
function amount(parse: (written: string) => Amount) {
  const wrong = (written: string): string => {
    const parsed = parse(written)
    return `is not an amount. ${parsed.kind === 'amount' ? '' : parsed.hint}`
  }
  return z.union([z.string(), z.number()], { error: wrong('') }).transform((written, context) => {
    const parsed = parse(String(written))
    if (parsed.kind === 'amount') return parsed.value
    context.addIssue(wrong(String(written)))
    return z.NEVER
  })
}
