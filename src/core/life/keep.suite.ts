import { must } from '../base/assert.ts'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import { manifestOf } from '../manifest/manifests.suite.ts'
import { offer } from '../offer/offer.suite.ts'
import type { Offer, Refusal } from '../offer/offer.ts'
import { freeze } from '../offer/snapshot.ts'
import type { BindInput } from './bind/chosen.ts'
import type { ToPlace } from './bind/question.ts'
import type { WorkloadRecord } from './change.ts'
import type { Instance } from './call/instance.ts'
import type { Phase, Placement } from './placement.ts'
import type { Situation } from './situation.ts'
import type { Evidence } from './evidence.ts'
import { identityOf } from './identity.ts'
import { groupsWanted, partOf, slotsWanted } from './slots.ts'
import { FRESH_STATUS, type Status } from './status.ts'
import { NO_LIMITS } from './bind/usage.ts'
import type { Workload } from './workload.ts'

export const NOW_MS = 1_800_000_000_000
export const SETTLE_MS = 180_000
export const SECOND_MS = 1000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 2 } }\n'

/** A service with the given number of replicas and further lines. */
export function service(replicas = 1, more = ''): string {
  return `${HEAD}kind: service\nreplicas: ${replicas}\n${more}`
}

/** The same on several machines each, as clusters of Ray. */
export function clusters(replicas: number, nodes: number): string {
  return service(replicas, `nodes: ${nodes}\nframework: ray\ncommand: [serve, run, app:main]\n`)
}

/** A job, with further lines. */
export function job(more = ''): string {
  return `${HEAD}kind: job\n${more}`
}

/** A workload as it is accepted, from the text of its manifest. */
export function workloadOf(text: string, change: Partial<Workload> = {}): Workload {
  return {
    uid: 'u1',
    project: 'default',
    name: 'demo',
    generation: 1,
    text,
    manifest: manifestOf(text),
    want: 'running',
    scale: {},
    template: undefined,
    pinned: undefined,
    usdPerHourMax: undefined,
    createdMs: NOW_MS - HOUR_MS,
    changedMs: NOW_MS - HOUR_MS,
    ...change,
  }
}

/** A placement in any phase, with what goes with the phase: a name once it was taken, a reason once it leaves. */
export function placed(workload: Workload, slot: string, phase: Phase, change: Partial<Placement> = {}): Placement {
  const { manifest, project, name, uid } = workload
  const role = manifest.roles.find((each) => slot.startsWith(`${each.name}-`))?.name
  const { command, args, env, ports } = partOf(manifest, role)
  const isNamed = phase === 'starting' || phase === 'running' || phase === 'stopping'
  const isLeaving = phase === 'stopping' || phase === 'gone'
  const tag = { owner: 'o1', project, workload: name, uid, slot, epoch: 1, attempt: `a-${slot}-1` }
  const { id, provider, region, zone, instance } = offer()
  return {
    order: {
      tag,
      place: { offer: id, provider, region, zone, instance, market: 'on-demand', node: undefined },
      image: manifest.image,
      command,
      args,
      env,
      secrets: manifest.secrets,
      ports,
      storage: manifest.storage,
      cpu: undefined,
      memoryGib: undefined,
      diskGib: undefined,
      gpus: 2,
      usdPerHourMax: 4,
      maxDurationSeconds: manifest.maxDurationSeconds,
      resumeFromMs: undefined,
      nodes: manifest.nodes,
    },
    shape: identityOf(manifest, role),
    phase,
    sinceMs: NOW_MS - MINUTE_MS,
    reservedMs: NOW_MS - MINUTE_MS,
    instance: isNamed ? `i-${slot}-1` : undefined,
    reserved: { gpus: 2, usdPerHour: 4 },
    calledMs: NOW_MS - MINUTE_MS,
    replayed: false,
    absentMs: undefined,
    upMs: phase === 'running' ? NOW_MS - MINUTE_MS : undefined,
    healthy: undefined,
    ports: {},
    checkpointMs: undefined,
    why: isLeaving ? 'stopped' : undefined,
    exit: undefined,
    tries: 0,
    nextTryMs: 0,
    because: 'the best that fits',
    ...change,
  }
}

/** Another tag for a placement. */
export function tagged(placement: Placement, change: Partial<Placement['order']['tag']>): Placement {
  return { ...placement, order: { ...placement.order, tag: { ...placement.order.tag, ...change } } }
}

/** At another provider, region or instance. */
export function at(placement: Placement, change: Partial<Placement['order']['place']>): Placement {
  return { ...placement, order: { ...placement.order, place: { ...placement.order.place, ...change } } }
}

export function recordOf(
  workload: Workload,
  placements: readonly Placement[] = [],
  status: Partial<Status> = {},
): WorkloadRecord {
  return {
    workload,
    status: { ...FRESH_STATUS, uid: workload.uid, generation: workload.generation, ...status },
    placements: new Map(placements.map((placement) => [placement.order.tag.slot, placement])),
  }
}

/** Every wanted slot in one phase. */
export function allIn(workload: Workload, phase: Phase, change: Partial<Placement> = {}): readonly Placement[] {
  return slotsWanted(workload).map(({ slot }) => placed(workload, slot, phase, change))
}

export function slotIn(record: WorkloadRecord, slot: string): Placement {
  return must(record.placements.get(slot), `slot ${slot} has a placement`)
}

export function situation(change: Partial<Situation> = {}): Situation {
  return {
    nowMs: NOW_MS,
    chance: 0.5,
    provider: () => ({ isDraining: false, tokens: false }),
    isBusy: () => false,
    lookedMs: () => undefined,
    startingMs: () => NOW_MS,
    upMs: () => change.nowMs ?? NOW_MS,
    ...change,
  }
}

/** Offers to choose from; names of attempts are counted. */
export function bindInput(
  offers: readonly Offer[],
  change: Partial<BindInput> = {},
  refusals: readonly Refusal[] = [],
): BindInput {
  let count = 0
  return {
    snapshot: freeze(offers, refusals),
    policy: DEFAULT_POLICY,
    owner: 'o1',
    newId: () => `n${++count}`,
    limits: NO_LIMITS,
    usage: { gpus: 0, usdPerHour: 0 },
    nowMs: NOW_MS,
    chance: 0.5,
    ...change,
  }
}

/** The instance of a placement as a provider shows it. */
export function instanceOf({ order: { tag }, instance }: Placement, change: Partial<Instance> = {}): Instance {
  return { instance: instance ?? `i-${tag.slot}-${tag.epoch}`, tag, state: 'up', ...change }
}

/** Evidence from a list that was requested long after any call. */
export function evidenceOf(instance: Instance | undefined, change: Partial<Evidence> = {}): Evidence {
  return { instance, from: 'list', issuedMs: NOW_MS, settleMs: 0, tokens: false, nowMs: NOW_MS, chance: 0.5, ...change }
}

/** All groups of a new workload, to be given a place. */
export function allToPlace(workload: Workload, status: Partial<Status> = {}): ToPlace {
  return { record: recordOf(workload, [], status), groups: [...groupsWanted(workload).values()] }
}
