import { mkdtempSync, readFileSync, rmSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Order } from '../../core/life/call/order.ts'
import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import type { Bench, Sample } from '../contract/contract.suite.ts'
import { problemText, readSettings } from '../settings.ts'
import { simKind } from './kind.ts'

/** Dependencies with a clock that only moves on demand, and a folder that is removed after the test. */
export function stillDeps(): ProviderDeps & StillClock {
  let nowMs = 1_788_264_000_000
  let aheadMs = 0
  let serial = 0
  const silent = (): void => undefined
  return {
    clock: { nowMs: () => nowMs + aheadMs, tickMs: () => nowMs, cpuMs: () => 0 },
    timers: {
      sleep: async (ms) => {
        nowMs += ms
      },
    },
    random: { next: () => 0.5, id: () => `id${serial++}` },
    log: { info: silent, warn: silent, error: silent },
    folder: mkdtempSync(join(tmpdir(), 'berth-sim-')),
    credential: async () => undefined,
    pass: (ms) => {
      nowMs += ms
    },
    set: (ms) => {
      aheadMs = ms
    },
  }
}

interface StillClock {
  readonly pass: (ms: number) => void
  /** Sets the offset of the wall clock. */
  readonly set: (aheadMs: number) => void
}

export async function openSim(settings: Readonly<Record<string, unknown>>, deps: ProviderDeps): Promise<Provider> {
  const read = readSettings(simKind, settings)
  if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
  return simKind.open('pretend', read.settings, deps)
}

export async function simBench(settings: Readonly<Record<string, unknown>>): Promise<Bench> {
  const deps = stillDeps()
  let provider = await openSim(settings, deps)
  return {
    provider,
    reopen: async () => {
      await provider.close?.()
      provider = await openSim(settings, deps)
      return provider
    },
    order: async (sample) => sampleOrder(sample),
    pass: async (ms) => deps.pass(ms),
    onlookers: async () => {
      const path = join(deps.folder, 'billing.jsonl')
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    },
    cleanup: async () => rmSync(deps.folder, { recursive: true, force: true }),
  }
}

export function sampleOrder(sample: Sample): Omit<Order, 'tag'> {
  return {
    place: {
      offer: 'pretend/sim/small-1',
      provider: 'pretend',
      region: 'sim',
      zone: undefined,
      instance: 'small-1',
      market: 'on-demand',
      node: undefined,
    },
    image: 'registry.example/work:1',
    command: [],
    args: [],
    env: envOf(sample),
    secrets: sample.kind === 'secret' ? ['TOKEN'] : [],
    ports: [],
    storage: [],
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    gpus: 1,
    usdPerHourMax: 1,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function envOf(sample: Sample): Readonly<Record<string, string>> {
  switch (sample.kind) {
    case 'exit':
      return { SIM_SECONDS: '1', SIM_EXIT: `${sample.code}` }
    case 'lines':
      return { SIM_SECONDS: '1', SIM_LINES: `${sample.lines}` }
    case 'bad':
      return { SIM_REFUSE: 'this image does not exist' }
    case 'long':
    case 'serve':
    case 'secret':
      return {}
  }
}
