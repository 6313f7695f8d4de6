import type { Workload } from '../core/keep/workload.ts'
import type { Commit, Store } from '../ports/store.ts'
import type { Loop } from './loop.ts'
import type { Mirror } from './mirror.ts'
import type { UserAction } from './scenario.ts'
import { manifestOf, type Wish } from './wishes.ts'

/** What the desk needs of the world. */
export interface DeskParts {
  readonly loop: Loop
  readonly store: Store
  readonly mirror: Mirror
  /** Hears of everything that was written. */
  readonly wrote: (commit: Commit) => Promise<void>
}

/** Whoever answers users: writes what they want. It is not on trial here, so it never fails. */
export class Desk {
  readonly #parts: DeskParts
  readonly #wishes = new Map<string, Wish>()
  #uids = 0

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  /** The last wish under each name that was asked for: what the end is compared with. */
  get wishes(): ReadonlyMap<string, Wish> {
    return this.#wishes
  }

  async act(action: Exclude<UserAction, { kind: 'provider' }>): Promise<void> {
    switch (action.kind) {
      case 'apply':
        return this.#apply(action.wish)
      case 'scale':
        return this.#change(action.name, (before) => ({ ...before, scale: { '': action.replicas } }))
      case 'stop':
        return this.#change(action.name, (before) => ({ ...before, want: 'stopped' }))
      case 'remove':
        return this.#change(action.name, (before) => ({ ...before, want: 'removed' }))
    }
  }

  /** A row that no control plane should ever have written. */
  async poison(name: string, body: Workload): Promise<void> {
    await this.#parts.wrote({ writes: [{ kind: 'workload', key: `default/${name}`, body }] })
  }

  async #apply(wish: Wish): Promise<void> {
    const { loop, mirror } = this.#parts
    const key = `${wish.project}/${wish.name}`
    const before = mirror.workloads.get(key)
    // Whoever comes while the last one of that name is being taken down is told to come again.
    if (before?.want === 'removed') {
      loop.after(10_000, () => void this.#apply(wish))
      return
    }
    const known = this.#wishes.get(wish.name)
    const isSame = before?.want === 'running' && known?.edition === wish.edition
    if (isSame) return
    this.#wishes.set(wish.name, wish)
    const { nowMs } = loop
    const made: Workload = {
      uid: before?.uid ?? `uid-${++this.#uids}`,
      project: wish.project,
      name: wish.name,
      generation: (before?.generation ?? 0) + 1,
      text: '',
      manifest: manifestOf(wish),
      want: 'running',
      scale: {},
      template: undefined,
      pinned: undefined,
      usdPerHourMax: undefined,
      createdMs: before?.createdMs ?? nowMs,
      changedMs: nowMs,
    }
    await this.#parts.wrote({ writes: [{ kind: 'workload', key, body: made }] })
  }

  async #change(name: string, change: (before: Workload) => Workload): Promise<void> {
    const wish = this.#wishes.get(name)
    const key = `${wish?.project}/${name}`
    const before = this.#parts.mirror.workloads.get(key)
    if (before === undefined || before.want === 'removed') return
    const after = { ...change(before), generation: before.generation + 1, changedMs: this.#parts.loop.nowMs }
    await this.#parts.wrote({ writes: [{ kind: 'workload', key, body: after }] })
  }
}
