import { expect } from 'vitest'
import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Answer, Call, Can, Described, InstanceRef, LaunchCall, Provider } from '../../ports/provider.ts'
import { Secret } from '../../ports/secret.ts'

/** A provider under test. Every test gets its own. */
export interface Bench {
  readonly provider: Provider
  /** Closes it and opens it again, as a new process of Berth would; both know what ran before. */
  readonly reopen: () => Promise<Provider>
  /** An order for a sample of this kind, on a place that it offers; the suite adds the tag. */
  readonly order: (sample: Sample) => Promise<Omit<Order, 'tag'>>
  /** Lets time pass. */
  readonly pass: (ms: number) => Promise<void>
  /** What another user of the host could read: command lines, files. Left out: there is no such user. */
  readonly onlookers?: () => Promise<string>
  readonly cleanup: () => Promise<void>
}

export type Sample =
  /** Runs until it is stopped, and ends soon after that. */
  | { readonly kind: 'long' }
  | { readonly kind: 'exit'; readonly code: number }
  /** Prints `line 1` to `line N` and ends. */
  | { readonly kind: 'lines'; readonly lines: number }
  /** Answers HTTP on its port `http`, whose health path is `/`. */
  | { readonly kind: 'serve' }
  /** Prints `TOKEN has N characters` of its secret, and runs on. */
  | { readonly kind: 'secret' }
  /** Invalid wherever it would run. */
  | { readonly kind: 'bad' }

/** Something that a provider cannot do, named by the words of the test. */
export interface Gap {
  readonly test: string
  readonly because: string
}

export interface Sentence {
  readonly says: string
  /** Skipped if the provider says that it does not do this at all. */
  readonly about?: 'tokens' | 'groups' | 'queues' | 'watch' | 'logs' | 'endedLogs' | 'exec' | 'ports' | 'secrets'
  readonly holds: (bench: Bench) => Promise<void>
}

let serial = 0
const owners = new Set<string>()

/** Every owner that the suite has used so far: what a bench has to clean up. */
export function ownersUsed(): readonly string[] {
  return [...owners]
}

/** An owner that was never used before. */
export function freshOwner(): string {
  return `owner-${process.pid}-${serial++}`
}

/** A tag that was never used before. */
export function freshTag(change: Partial<Tag> = {}): Tag {
  serial++
  const attempt = `contract${process.pid}x${serial}`
  owners.add(change.owner ?? 'owner-of-the-contract')
  return {
    owner: 'owner-of-the-contract',
    project: 'default',
    workload: 'sample',
    uid: `uid${serial}`,
    slot: '0',
    epoch: 1,
    attempt,
    ...change,
  }
}

export function call(signal: AbortSignal = new AbortController().signal): Call {
  return { signal, requestId: `contract-${serial}` }
}

export function launchCall(secrets: Readonly<Record<string, string>> = {}): LaunchCall {
  const map = new Map(Object.entries(secrets).map(([name, value]) => [name, new Secret(value)]))
  return { ...call(), secrets: map }
}

/** The value of an answer that must be a success. */
export function yes<T>(answer: Answer<T>): T {
  if (answer.ok) return answer.value
  throw new Error(`${answer.fault.class}: ${answer.fault.message}`)
}

export async function launch(bench: Bench, sample: Sample, change: Partial<Tag> = {}): Promise<InstanceRef> {
  const tag = freshTag(change)
  const order = { ...(await bench.order(sample)), tag }
  const { instance } = yes(await bench.provider.launch(order, launchCall()))
  return { tag, instance }
}

/** Waits until it is described like this; fails with its last state. */
export async function becomes(
  bench: Pick<Bench, 'provider' | 'pass'>,
  ref: InstanceRef,
  isThere: (described: Described) => boolean,
): Promise<Described> {
  let described: Described = { state: 'absent' }
  await within(bench, async () => {
    described = yes(await bench.provider.describe(ref, call()))
    return isThere(described)
  }).catch(() => expect.fail(`it stayed ${JSON.stringify(described)}`))
  return described
}

export const isUp = ({ state }: Described): boolean => state === 'up'
export const isQueued = ({ state }: Described): boolean => state === 'queued'
export const isOver = ({ state }: Described): boolean => state === 'ended' || state === 'absent'

/** Stops it and waits until the provider says that it is gone. */
export async function stopped(bench: Pick<Bench, 'provider' | 'pass'>, ref: InstanceRef): Promise<void> {
  await within(bench, async () => yes(await bench.provider.stop(ref, call())).gone)
}

const STEP_MS = 50
const STEPS_MAX = 600

/** Asks repeatedly, for half a minute of the bench's time. */
export async function within(bench: Pick<Bench, 'pass'>, isSo: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < STEPS_MAX; step++) {
    if (await isSo()) return
    await bench.pass(STEP_MS)
  }
  throw new Error('the condition did not hold within 30 seconds')
}

/** Attempts in a complete list of an owner. */
export async function listed(
  { provider }: { readonly provider: Provider },
  owner: string,
): Promise<ReadonlyMap<string, Described>> {
  const { instances, complete } = yes(await provider.list(owner, call()))
  expect(complete).toBe(true)
  return new Map(instances.map((instance) => [instance.tag.attempt, instance]))
}

export function positive(can: Can): readonly number[] {
  return [can.callsPerSecond, can.burst, can.deadlineMs, can.pollMs, can.gangWithinMs]
}
