import { refuse } from '../core/base/refuse.ts'
import type { Store } from '../ports/store.ts'
import type { Principal } from './deps.ts'

/** The most commands at once: each is a process that this control plane starts and reads from. */
const ALL = 32
const OF_ONE = 8
/** Reserved for administrators, so that writers cannot lock them out. */
const FOR_ADMINS = 4

/** Running commands by control plane, identified by its one store, and by token. */
const TAKEN = new WeakMap<Store, Map<string, number>>()

/** Takes a place, or refuses at once, because waiting would hold the caller's connection. Returns a function to give it back. */
export function takeExecSeat(store: Store, { name, role }: Principal): () => void {
  const taken = TAKEN.get(store) ?? new Map<string, number>()
  TAKEN.set(store, taken)
  const mine = taken.get(name) ?? 0
  if (mine >= OF_ONE) throw full(`${name} already runs ${OF_ONE} commands next to workloads, the limit for one token.`)
  const all = [...taken.values()].reduce((sum, count) => sum + count, 0)
  if (all >= (role === 'admin' ? ALL : ALL - FOR_ADMINS))
    throw full(`This control plane already runs ${all} commands next to workloads, which is its limit.`)
  taken.set(name, mine + 1)
  return () => {
    const left = (taken.get(name) ?? 0) - 1
    if (left > 0) taken.set(name, left)
    else taken.delete(name)
  }
}

function full(message: string) {
  return refuse('EXEC_FULL', message, 'Try again when one of them has ended. Run long commands as a job instead.')
}
