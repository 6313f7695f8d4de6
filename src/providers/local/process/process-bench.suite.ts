import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach } from 'vitest'
import type { Order } from '../../../core/life/call/order.ts'
import type { InstanceRef, Provider, ProviderDeps } from '../../../ports/provider.ts'
import { becomes, call, freshTag, isUp, launchCall, within, yes } from '../../contract/bench.suite.ts'
import { endAll, openLocal, realDeps, sampleOrder } from '../bench.suite.ts'
import { writeNote } from '../note.ts'

export const SETTINGS = { runtime: 'process', gpus: [], cpu: 4, memory: '8Gi', ports: '22000-22099', log: '64Ki' }

/** A host with plain processes for each test, with movable clocks and recorded warnings. */
export class ProcessBench {
  provider!: Provider
  deps!: ProviderDeps
  /** Time that has passed, and the offset of the wall clock. */
  passedMs = 0
  wallMs = 0
  readonly warnings: string[] = []
  readonly pass = (ms: number): Promise<void> => pause(ms)

  constructor() {
    beforeEach(() => this.begin())
    afterEach(() => this.end(), 60_000)
  }

  async begin(): Promise<void> {
    const real = realDeps()
    const { clock } = real
    this.passedMs = 0
    this.wallMs = 0
    this.warnings.length = 0
    this.deps = {
      ...real,
      log: { ...real.log, warn: (text) => void this.warnings.push(text) },
      clock: {
        ...clock,
        nowMs: () => clock.nowMs() + this.passedMs + this.wallMs,
        tickMs: () => clock.tickMs() + this.passedMs,
      },
    }
    await this.reopen()
  }

  async end(): Promise<void> {
    this.passedMs += 60_000
    await endAll(this.provider)
    await this.provider.close?.()
    rmSync(this.deps.folder, { recursive: true, force: true })
  }

  async reopen(settings: Readonly<Record<string, unknown>> = {}): Promise<void> {
    this.provider = await openLocal({ ...SETTINGS, ...settings }, this.deps)
  }

  orderOf(command: readonly string[], change: Partial<Order> = {}): Order {
    return { ...sampleOrder({ kind: 'long' }), command, tag: freshTag(), ...change }
  }

  async launch(order: Order): Promise<InstanceRef> {
    yes(await this.provider.launch(order, launchCall()))
    return { tag: order.tag, instance: undefined }
  }

  async launchUp(order: Order): Promise<InstanceRef> {
    const ref = await this.launch(order)
    await becomes(this, ref, isUp)
    return ref
  }

  /** A program that hears no request to end, and is known not to: it says so once it does not. */
  async launchDeaf(): Promise<InstanceRef> {
    const ref = await this.launchUp(
      this.orderOf(['/bin/sh', '-c', 'trap "" TERM; echo deaf; while :; do sleep 1; done']),
    )
    await within(this, async () => (await this.linesOf(ref)).includes('deaf'))
    return ref
  }

  async linesOf({ tag }: Pick<InstanceRef, 'tag'>): Promise<readonly string[]> {
    const want = { follow: false, tail: undefined }
    const lines = this.provider.logs?.({ tag, instance: undefined }, want, call()) ?? []
    return (await Array.fromAsync(lines)).map(({ text }) => text)
  }

  fileOf(attempt: string, file: string): string {
    return join(this.deps.folder, 'attempts', attempt, file)
  }

  /** The state that a Berth leaves if it dies right after writing the note. */
  note({ tag }: Order): InstanceRef {
    mkdirSync(this.fileOf(tag.attempt, 'work'), { recursive: true })
    const claim = { cpuMilli: 0, memoryMib: 0, diskMib: 0, cards: [] }
    writeFileSync(this.fileOf(tag.attempt, 'order'), writeNote({ tag, ports: [], claim }))
    return { tag, instance: undefined }
  }

  /** Runs with the attempts on a small separate disk; false: this user may not mount one. */
  async onDisk(options: string, run: (folder: string) => Promise<void>): Promise<boolean> {
    const folder = join(this.deps.folder, 'attempts')
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status !== 0) return false
    try {
      await run(folder)
    } finally {
      spawnSync('umount', ['-l', folder])
    }
    return true
  }
}

export const NEEDS_MOUNT = 'needs root, to mount a small disk'
