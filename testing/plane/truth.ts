import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { WorkloadView } from '../../src/core/life/view/view.ts'
import type { Living } from '../kills/local.ts'

/** The provider whose work runs as processes of this host. */
export const LOCAL = 'here'

/** One instance as the simulated cloud bills it. */
export interface Billed {
  readonly id: string
  readonly provider: string
  readonly slot: string
  readonly attempt: string
  readonly createdMs: number
  /** Infinity: it runs. */
  readonly endsMs: number
}

/** The billing truth of all simulated clouds of a data folder: a file of theirs, which no control plane has to be asked for. */
export function readTruth(folder: string): readonly Billed[] {
  const providers = join(folder, 'providers')
  if (!existsSync(providers)) return []
  return readdirSync(providers).flatMap((provider) => {
    const file = join(providers, provider, 'billing.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    // The last line of an attempt's instance counts. Two attempts that share a name of an instance stay two.
    const read = lines.flatMap((line) => billedIn(line, provider))
    return [...new Map(read.map((billed) => [`${billed.id} ${billed.attempt}`, billed])).values()]
  })
}

/** What must never be, over the whole history: a slot that is billed twice at a time, or a name that is given twice. */
export function doublesIn(truth: readonly Billed[]): readonly string[] {
  const wrong: string[] = []
  for (const [id, same] of Map.groupBy(truth, ({ provider, id }) => `${provider} ${id}`)) {
    if (same.length > 1) wrong.push(`instance ${id} belongs to ${same.length} attempts`)
  }
  for (const [slot, ofSlot] of Map.groupBy(truth, ({ slot }) => slot)) {
    const byStart = ofSlot.toSorted((one, two) => one.createdMs - two.createdMs)
    for (const [at, next] of byStart.entries()) {
      const before = byStart[at - 1]
      if (before === undefined || before.endsMs <= next.createdMs) continue
      wrong.push(`${slot}: ${before.id} was billed until ${before.endsMs} and ${next.id} from ${next.createdMs}`)
    }
  }
  return wrong
}

/** What must not exist once everything is calm: an orphan, or a placement without an instance. */
export function strayIn(truth: readonly Billed[], views: readonly WorkloadView[], nowMs: number): readonly string[] {
  const live = new Map(
    truth.filter(({ endsMs }) => endsMs > nowMs).map(({ attempt, id, slot }) => [attempt, `${id} of ${slot}`]),
  )
  return straysAmong(live, views, ({ provider }) => provider !== LOCAL)
}

/** The same for processes of this host. */
export function localStrayIn(living: readonly Living[], views: readonly WorkloadView[]): readonly string[] {
  const live = new Map(living.map(({ attempt, slot }) => [attempt, `process of ${slot}`]))
  return straysAmong(live, views, ({ provider }) => provider === LOCAL)
}

/** `live`: what runs, by attempt; `isThere`: slots that are to be found among it. */
function straysAmong(
  live: ReadonlyMap<string, string>,
  views: readonly WorkloadView[],
  isThere: (slot: { readonly provider: string }) => boolean,
): readonly string[] {
  const slots = views.flatMap(({ name, slots: all }) => all.map((slot) => ({ ...slot, name })))
  const owned = slots.filter(({ phase }) => phase !== 'gone')
  const attempts = new Set(owned.map(({ attempt }) => attempt))
  return [
    ...[...live].filter(([attempt]) => !attempts.has(attempt)).map(([, what]) => `${what} runs and is an orphan`),
    ...owned
      .filter((slot) => isThere(slot) && slot.phase === 'running' && !live.has(slot.attempt))
      .map(({ name, slot, instance }) => `${name}/${slot} is said to run as ${instance}, and does not`),
  ]
}

function billedIn(line: string, provider: string): readonly Billed[] {
  try {
    const { id, tag, createdMs, endsMs } = JSON.parse(line)
    const slot = `${tag.workload}/${tag.uid}/${tag.slot}`
    return [{ id, provider, slot, attempt: tag.attempt, createdMs, endsMs: endsMs ?? Number.POSITIVE_INFINITY }]
  } catch {
    // The last line, cut off by a kill: the cloud passes over it, too.
    return []
  }
}
