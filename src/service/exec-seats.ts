import { refuse } from '../core/base/refuse.ts'
import type { Store } from '../ports/store.ts'
import type { Principal } from './deps.ts'

/** Programs beside workloads at once: each is a process that this control plane begins and reads from. */
const ALL = 32
const OF_ONE = 8
/** Only administrators get these, so that writers cannot keep them from looking into what runs. */
const FOR_ADMINS = 4

/** By the store of a control plane, which it has one of: then by whom. */
const TAKEN = new WeakMap<Store, Map<string, number>>()

/** Refuses at once where too many run already: waiting would hold the caller's connection. Answers how to give it back. */
export function takeExecSeat(store: Store, { name, role }: Principal): () => void {
  const taken = TAKEN.get(store) ?? new Map<string, number>()
  TAKEN.set(store, taken)
  const mine = taken.get(name) ?? 0
  if (mine >= OF_ONE) throw full(`${name} runs ${OF_ONE} commands beside workloads already, as many as one token may.`)
  const all = [...taken.values()].reduce((sum, count) => sum + count, 0)
  if (all >= (role === 'admin' ? ALL : ALL - FOR_ADMINS))
    throw full(`This control plane runs ${all} commands beside workloads already, as many as it may.`)
  taken.set(name, mine + 1)
  return () => {
    const left = (taken.get(name) ?? 0) - 1
    if (left > 0) taken.set(name, left)
    else taken.delete(name)
  }
}

function full(message: string) {
  return refuse(
    'EXEC_FULL',
    message,
    'Ask again when one of them has ended; what takes long is better a job of its own.',
  )
}
