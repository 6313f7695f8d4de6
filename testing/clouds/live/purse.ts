import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Provider } from '../../../src/ports/provider.ts'

/** What each machine is counted as, at least: it may take so long until it has started, was looked at and is gone. */
const HOURS_EACH = 0.5

/** What a run against a live service may spend, and where it notes whose machines it orders. */
export interface Purse {
  /** In dollars, for all machines together. */
  leftUsd: number
  /** A file with one owner a line, which outlives a run that is killed. */
  readonly journal: string
}

/** The same provider, which notes the owner before each order and orders nothing that is not paid for. */
export function spending(provider: Provider, purse: Purse): Provider {
  const launch: Provider['launch'] = async (order, call) => {
    const costUsd = order.usdPerHourMax * HOURS_EACH
    if (costUsd > purse.leftUsd)
      throw new Error(`the spending cap is reached: ${costUsd.toFixed(2)} of ${purse.leftUsd.toFixed(2)} dollars left`)
    purse.leftUsd -= costUsd
    mkdirSync(dirname(purse.journal), { recursive: true })
    appendFileSync(purse.journal, `${order.tag.owner}\n`)
    return provider.launch(order, call)
  }
  // Proven: everything but the launch is the provider's own.
  return Object.assign(Object.create(provider) as Provider, { launch })
}

/** Ends everything of the owners in the journal, of this run or of one that was killed, and returns how many there were. */
export async function sweep(
  provider: Provider,
  { journal }: Purse,
  pass: (ms: number) => Promise<void>,
): Promise<number> {
  const owners = existsSync(journal) ? new Set(readFileSync(journal, 'utf8').split('\n').filter(Boolean)) : []
  let ended = 0
  for (const owner of owners) ended += await endAllOf(provider, owner, pass)
  rmSync(journal, { force: true })
  return ended
}

const ROUNDS = 120
const AGAIN_MS = 5000

/** Until two complete lists in a row show nothing: what was ordered last may be missing in the first. */
async function endAllOf(provider: Provider, owner: string, pass: (ms: number) => Promise<void>): Promise<number> {
  const seen = new Set<string>()
  let empty = 0
  for (let round = 0; round < ROUNDS && empty < 2; round++) {
    const call = { signal: new AbortController().signal, requestId: `sweep-${round}` }
    const list = await provider.list(owner, call)
    const found = list.ok ? list.value.instances.filter(({ state }) => state !== 'ended') : []
    for (const { tag, instance } of list.ok ? list.value.instances : []) {
      seen.add(instance)
      await provider.stop({ tag, instance }, call)
    }
    empty = list.ok && list.value.complete && found.length === 0 ? empty + 1 : 0
    await pass(empty === 1 ? provider.can.settleMs : AGAIN_MS)
  }
  if (empty < 2) throw new Error(`machines of ${owner} may still exist, and cost money: look at the account`)
  return seen.size
}
