import type { Berth } from '../ports/berth.ts'
import type { Files } from '../ports/files.ts'
import type { OfferSource } from '../ports/offer-source.ts'
import type { Solver } from '../ports/solver.ts'
import type { Timers } from '../ports/timers.ts'
import { OFFER_SOURCES } from '../catalogues/sources.ts'
import { must } from '../core/base/assert.ts'
import type { Outside, Target, Typed } from './cli.ts'
import { run } from './main.ts'
import { OFFLINE } from './offline.ts'

export const NOW_MS = Date.parse('2026-11-15T10:05:00Z')

/** Three machines of one cloud and a row that cannot be right. */
export const INVENTORY = `berth: v1
kind: inventory
observed: 2026-11-15T10:00:00Z
provider: northwind
offers:
  - { region: north-1, instance: nw-h100-4, gpu: { model: h100-sxm, count: 4 }, cpu: 64, memory: 800Gi, host_arch: amd64, usd_per_hour: 9.4, spot_usd_per_hour: 5.2, stock: 3 }
  - { region: north-2, instance: nw-l4-1, gpu: { model: l4 }, cpu: 8, memory: 32Gi, host_arch: amd64, usd_per_hour: 0.46, stock: sold_out }
  - { region: north-1, instance: nw-cpu-16, cpu: 16, memory: 64Gi, host_arch: amd64, usd_per_hour: 0.41 }
  - { region: north-1, instance: nw-riddle, gpu: { model: riddle-9000 }, usd_per_hour: 1 }
`

/** A service that fits one of them. */
export const MANIFEST = `berth: v1
kind: service
name: llama-70b
image: ghcr.io/acme/vllm:0.22
resources:
  gpu: { count: 4, min_vram: 80Gi, interconnect: nvlink }
`

export const CONFIG = `berth: v1
kind: config
providers:
  northwind: { offers: [inventory.yaml], residency: eu, price_factor: 0.5 }
policies:
  cheap: { objective: cheapest, max_usd_per_hour: 2 }
`

/** What a command left behind. */
export interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly files: ReadonlyMap<string, Uint8Array>
  /** Questions as they were asked. */
  readonly asked: readonly string[]
  /** Control planes that were talked to. */
  readonly targets: readonly Target[]
}

export interface World {
  /** Number of the first random id; another one for another command on the same control plane. */
  readonly firstId?: number
  /** What stands in for a control plane that is started. */
  readonly up?: Outside['up']
  /** Texts or bytes by path. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
  /** When files were last written, by path; left out: nobody knows. */
  readonly changedMs?: Readonly<Record<string, number>>
  readonly sources?: readonly OfferSource[]
  /** Left out: using it fails. */
  readonly solver?: Solver
  readonly nowMs?: number
  /** How long passes between two looks at the clock; 0: it stands still. */
  readonly msBetweenLooks?: number
  /** Set: the output is a terminal. */
  readonly columns?: number
  readonly color?: boolean
  /** Paths that cannot be written. */
  readonly readOnly?: readonly string[]
  /** The control plane; left out: none is known. A function, so that each command can have a fresh one. */
  readonly control?: () => Berth & Partial<Timed>
  readonly env?: Readonly<Record<string, string>>
  /** What the user types, line by line, and then the input ends. Set: the user can be asked. */
  readonly answers?: readonly string[]
  /** Called for each wait: time passes, and the world with it. */
  readonly onSleep?: () => unknown
  /** Ctrl-C is pressed during this wait; left out: never. */
  readonly interruptAt?: number
  /** Ctrl-C is pressed once so many lines were printed; left out: never. */
  readonly interruptAfter?: number
  /** What stands in for a clock that ticks. */
  readonly every?: Outside['every']
  /** This machine; left out: it has no keyboard, no folders, and nothing may listen. */
  readonly here?: Outside['here']
  /** Ctrl-C is pressed when this is aborted. */
  readonly interrupt?: AbortSignal
}

/** Where a command lives in the time of its control plane. */
interface Timed {
  readonly nowMs: () => number
  readonly tickMs: () => number
  readonly sleep: Timers['sleep']
}

/** Runs one command line in a small world of its own: files in memory, a clock that stands still, a recording terminal. */
export async function berth(argv: readonly string[], world: World = {}): Promise<Ran> {
  const files = new Map(Object.entries(world.files ?? {}).map(([path, content]) => [path, bytesOf(content)]))
  const spoken = { out: '', err: '' }
  let looks = 0
  const lookMs = (): number => looks++ * (world.msBetweenLooks ?? 0)
  const asked: string[] = []
  const targets: Target[] = []
  const abort = new AbortController()
  const control = world.control?.()
  const tickMs = world.msBetweenLooks === undefined ? (control?.tickMs ?? lookMs) : lookMs
  const print = (where: keyof typeof spoken) => (text: string) => {
    spoken[where] += text
    const lines = (spoken.out + spoken.err).split('\n').length - 1
    if (lines >= (world.interruptAfter ?? Infinity)) abort.abort()
  }
  const code = await run(argv, {
    ...outsideOf(world, { asked, targets, files, abort, control }),
    files: filesIn(files, world),
    clock: { nowMs: () => world.nowMs ?? control?.nowMs?.() ?? NOW_MS, tickMs, cpuMs: lookMs },
    terminal: {
      out: print('out'),
      err: print('err'),
      columns: world.columns,
      color: world.color ?? false,
      errColumns: world.columns,
      errColor: world.color ?? false,
    },
    sources: world.sources ?? OFFER_SOURCES,
    solver: () => must(world.solver, 'a command that solves has a solver'),
    examples: 'examples',
  })
  return { code, files, asked, targets, ...spoken }
}

interface Recording {
  readonly asked: string[]
  readonly targets: Target[]
  readonly files: Map<string, Uint8Array>
  readonly abort: AbortController
  readonly control: (Berth & Partial<Timed>) | undefined
}

function outsideOf(world: World, { asked, targets, files, abort, control }: Recording): Outside {
  const env: Readonly<Record<string, string>> =
    world.env ?? (world.control === undefined ? {} : { BERTH_URL: 'http://127.0.0.1:7700', BERTH_TOKEN: 'for-tests' })
  const answers = [...(world.answers ?? [])]
  let sleeps = 0
  let ids = world.firstId ?? 0
  return {
    berth: (target) => {
      targets.push(target)
      return must(control, 'a command that talks to a control plane has one')
    },
    env: (name) => env[name],
    up: world.up ?? (() => Promise.resolve(0)),
    gateway: () => Promise.resolve(0),
    prompt:
      world.answers === undefined
        ? undefined
        : (question) => {
            asked.push(question)
            return Promise.resolve(typed(answers.shift()))
          },
    interrupt: () => world.interrupt ?? abort.signal,
    saveSecret: (path, bytes) => {
      files.set(path, bytes)
      return true
    },
    every: world.every ?? (() => () => {}),
    timers: {
      sleep: async (ms, signal) => {
        if (sleeps++ === world.interruptAt) abort.abort()
        await world.onSleep?.()
        await control?.sleep?.(ms, signal)
      },
    },
    random: { next: () => 0.5, id: () => `id-${ids++}` },
    here: world.here ?? OFFLINE.here,
  }
}

/** What Ctrl-C sends. */
export const CTRL_C = '\u0003'

function typed(text: string | undefined): Typed {
  if (text === undefined) return { kind: 'ended' }
  return text === CTRL_C ? { kind: 'interrupted' } : { kind: 'line', text }
}

/** The words of a command line, split at spaces. */
export function words(line: string): readonly string[] {
  return line.split(' ').filter((word) => word !== '')
}

/** What was written to a path. */
export function textAt(ran: Ran, path: string): string {
  return new TextDecoder().decode(ran.files.get(path))
}

function filesIn(files: Map<string, Uint8Array>, { readOnly = [], changedMs }: World): Files {
  return {
    ...(changedMs && { changedMs: (path: string) => changedMs[path] }),
    read: (path) => files.get(path),
    list: (path) => namesIn(files, path),
    write: (path, bytes) => {
      if (readOnly.includes(path)) return false
      files.set(path, bytes)
      return true
    },
  }
}

function namesIn(files: ReadonlyMap<string, Uint8Array>, folder: string): readonly string[] | undefined {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  const inside = [...files.keys()].filter((path) => path.startsWith(prefix))
  const names = new Set(inside.map((path) => path.slice(prefix.length).split('/')[0] ?? ''))
  return inside.length === 0 ? undefined : [...names].sort()
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === 'string' ? new TextEncoder().encode(content) : content
}
