import { expect } from 'vitest'
import { must } from '../../base/assert.ts'
import { ANY_NEED, type Need } from '../need/need.ts'
import type { GpuNeed } from '../table.ts'
import { ANY_GPU, covers } from '../need/need.suite.ts'
import type { GpuFacts, Machine, Price, Site, State } from '../../offer/machine.ts'
import { versionNumber } from '../../base/version.ts'
import type { About, Filter, Subjects } from './filter.ts'
import type { Reason } from '../reason.ts'

/** The present moment in every filter test. */
export const NOW_MS = 1_800_000_000_000

/** A machine that passes every filter, with some of its facts replaced. */
export function machine(change: Partial<Machine> = {}): Machine {
  return {
    gpu: gpu(),
    cpu: 64,
    memoryGib: 512,
    diskGib: 1000,
    volumeGib: 1000,
    hostArch: 'amd64',
    inbound: true,
    domain: 'rack',
    capacity: 'rented',
    quarantine: undefined,
    ...change,
  }
}

/** Two H100s joined by NVLink. */
export function gpu(change: Partial<GpuFacts> = {}): GpuFacts {
  return {
    model: 'h100-sxm',
    name: 'H100 SXM 80 GB',
    vendor: 'nvidia',
    arch: 'hopper',
    target: '9.0',
    capability: version('9.0'),
    count: 2,
    vramGib: 80,
    usableMib: 81_559,
    sharing: 'whole',
    profile: undefined,
    link: 'nvlink',
    driver: version('570.86.15'),
    driverMin: version('525.53'),
    driverMax: undefined,
    cuda: undefined,
    cudaMax: undefined,
    ...change,
  }
}

/** A machine that has no GPU. */
export const NO_GPU_INSIDE: Machine = machine({ gpu: undefined })

export function site(change: Partial<Site> = {}): Site {
  return { provider: 'alpha', region: 'eu-1', residency: 'eu', trust: 'secure', ...change }
}

/** In stock, healthy, within quota and never refused. */
export function state(change: Partial<State> = {}): State {
  return {
    stock: 'available',
    units: undefined,
    seenAtMs: NOW_MS - 60_000,
    quotaLeft: 8,
    health: 'ok',
    startSeconds: 60,
    reliability: 0.99,
    egressUsdPerGib: 0.1,
    refusedWhy: undefined,
    refusedAtMs: undefined,
    refusedUntilMs: undefined,
    refusals: 0,
    ...change,
  }
}

export function price(change: Partial<Price> = {}): Price {
  return { usdPerHour: 4, spotUsdPerHour: 1, ...change }
}

/** A need without a GPU, with some of its requirements replaced. */
export function need(change: Partial<Need> = {}): Need {
  return { ...ANY_NEED, ...change }
}

/** A need for a GPU, with some of what the GPU must be replaced. */
export function gpuNeed(change: Partial<GpuNeed> = {}): Need {
  return { ...ANY_NEED, gpu: { ...ANY_GPU, ...change } }
}

export function version(text: string): number {
  return must(versionNumber(text), `${text} is a version`)
}

/** What a user reads about a reason: its summary, and what makes it pass. */
export function inWords(filter: Pick<Filter, 'reasons'>, reason: Reason | undefined): string {
  const given = must(reason, 'there is a reason to put in words')
  const doc = must(filter.reasons[given.code], `${given.code} is one of the filter's reasons`)
  return `${doc.summary(given)}; clears: ${doc.clears}`
}

/** A loosening in short, and which of the refused subjects it admits. */
export interface Loosened {
  readonly change: string
  readonly admits: readonly boolean[]
}

/** The filter's loosenings for what it refused, each tried out. A loosening may only widen the need. */
export function loosened<A extends About>(
  filter: Filter<A>,
  need: Need,
  refused: readonly Subjects[A][],
): readonly Loosened[] {
  return (filter.loosen?.(need, refused) ?? []).map((step) => {
    expect(Object.keys(step.need)).toEqual(Object.keys(need))
    expect(covers(step.need, need)).toBe(true)
    const admits = refused.map((subject) => filter.check(subject, step.need, NOW_MS) === undefined)
    return { change: `${step.key}: ${step.from} -> ${step.to}`, admits }
  })
}
