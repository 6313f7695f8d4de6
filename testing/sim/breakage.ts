import type { Order } from '../../src/core/life/call/order.ts'
import type { Workload } from '../../src/core/life/workload.ts'
import type { Cloud, CloudInstance } from '../../src/providers/sim/cloud.ts'
import type { FaultEvent } from './faults.ts'
import { LEFTOVER } from './invariants.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'
import type { StoreWire, Wire } from './network.ts'
import type { Plane } from './plane.ts'
import type { RentedCloud } from './rented/rented-cloud.ts'

/** What can be broken, and how to get at it. */
export interface Breakables {
  readonly loop: Loop
  readonly clouds: ReadonlyMap<string, Cloud>
  readonly wires: ReadonlyMap<string, Wire>
  readonly rented: ReadonlyMap<string, RentedCloud>
  readonly storeWire: StoreWire
  readonly planes: readonly Plane[]
  readonly poison: (name: string, body: Workload) => void
  readonly owner: string
}

/** Lets one fault happen now, and heals it when its time is over. */
export function breakIt(fault: FaultEvent, world: Breakables): void {
  world.loop.note(`fault ${fault.kind}`)
  switch (fault.kind) {
    case 'calls': {
      const heal = world.wires.get(fault.provider)?.add(fault)
      return healing(world, fault.forMs, () => heal?.())
    }
    case 'slow': {
      const wire = world.wires.get(fault.provider)
      wire?.slow(fault.ms)
      return healing(world, fault.forMs, () => wire?.slow(0))
    }
    case 'database':
      return healing(world, fault.forMs, world.storeWire.add(fault))
    case 'rented': {
      const heal = world.rented.get(fault.provider)?.suffer(fault.trouble)
      return healing(world, fault.forMs, () => heal?.())
    }
    case 'sold-out':
    case 'price':
    case 'quota':
      return breakCapacity(fault, world)
    case 'machine':
    case 'person':
    case 'preemption':
    case 'sick':
    case 'unreadable':
    case 'stranger':
    case 'leftover':
      return breakInstance(fault, world)
    case 'kill':
    case 'pause':
    case 'clock':
      return breakPlane(fault, world)
    case 'poison':
      world.poison(`poison-${Math.floor(fault.pick * 1000)}`, poisonRow(fault.pick))
  }
}

function healing({ loop }: Breakables, forMs: number, heal: () => void): void {
  loop.after(forMs, heal)
}

type Of<K extends FaultEvent['kind']> = Extract<FaultEvent, { readonly kind: K }>

function breakCapacity(fault: Of<'sold-out' | 'price' | 'quota'>, world: Breakables): void {
  const cloud = world.clouds.get(fault.provider)
  if (cloud === undefined) return
  if (fault.kind === 'quota') {
    cloud.setQuota(fault.quota)
    return healing(world, fault.forMs, () => cloud.setQuota(undefined))
  }
  const { offers } = cloud.spec
  const offer = offers[Math.floor(fault.pick * offers.length)]
  if (offer === undefined) return
  if (fault.kind === 'sold-out') {
    cloud.setCapacity(offer.id, 0)
    return healing(world, fault.forMs, () => cloud.setCapacity(offer.id, undefined))
  }
  cloud.setPrice(offer.id, Math.round((offer.usdPerHour ?? 1) * fault.factor * 100) / 100)
  healing(world, fault.forMs, () => cloud.setPrice(offer.id, undefined))
}

type InstanceFault = Of<'machine' | 'person' | 'preemption' | 'sick' | 'unreadable' | 'stranger' | 'leftover'>

function breakInstance(fault: InstanceFault, world: Breakables): void {
  const cloud = world.clouds.get(fault.provider)
  if (cloud === undefined) return
  const { nowMs } = world.loop
  if (fault.kind === 'stranger' || fault.kind === 'leftover') {
    const owner = fault.kind === 'leftover' ? world.owner : 'somebody'
    cloud.launch([foreignOrder(cloud, { owner, pick: fault.pick })], nowMs)
    return
  }
  const alive = [...cloud.instances()].filter(({ endsMs, tag }) => endsMs > nowMs && tag.owner === world.owner)
  const found = pickOf(alive, fault)
  if (found === undefined) return
  if (fault.kind === 'sick') {
    cloud.setHealth(found.id, false, nowMs)
    return healing(world, fault.forMs, () => cloud.setHealth(found.id, true, world.loop.nowMs))
  }
  if (fault.kind === 'unreadable') {
    cloud.setUnreadable(found.id, fault.pick * 100 - Math.floor(fault.pick * 100) < 0.5 ? 'hidden' : 'unclear', nowMs)
    return healing(world, fault.forMs, () => cloud.setUnreadable(found.id, undefined, world.loop.nowMs))
  }
  const noticeMs = fault.kind === 'preemption' ? fault.noticeMs : 0
  cloud.end(found.id, fault.kind, { nowMs, noticeMs })
}

/** Only what was sold as spot is taken away. */
function pickOf(alive: readonly CloudInstance[], { kind, pick }: InstanceFault): CloudInstance | undefined {
  const candidates = kind === 'preemption' ? alive.filter(({ market }) => market === 'spot') : alive
  return candidates[Math.floor(pick * candidates.length)]
}

function foreignOrder(cloud: Cloud, { owner, pick }: { owner: string; pick: number }): Order {
  const { offers, name } = cloud.spec
  const offer = offers[Math.floor(pick * offers.length)]
  const { region = '', instance = '', id = '' } = offer ?? {}
  const attempt = `foreign-${Math.floor(pick * 1e9).toString(36)}`
  return {
    tag: { owner, project: 'old', workload: 'forgotten', uid: LEFTOVER, slot: attempt, epoch: 1, attempt },
    place: { offer: id, provider: name, region, zone: undefined, instance, market: 'on-demand', node: undefined },
    image: 'registry.example/forgotten:1',
    command: [],
    args: [],
    env: {},
    secrets: [],
    ports: [],
    storage: [],
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    gpus: 1,
    usdPerHourMax: Infinity,
    maxDurationSeconds: undefined,
    resumeFromMs: undefined,
    nodes: 1,
  }
}

function breakPlane(fault: Of<'kill' | 'pause' | 'clock'>, world: Breakables): void {
  const plane = world.planes[fault.plane]
  if (plane === undefined) return
  switch (fault.kind) {
    case 'kill':
      plane.kill()
      return healing(world, fault.forMs, () => plane.start())
    case 'pause':
      plane.pause()
      return healing(world, fault.forMs, () => plane.wake())
    case 'clock':
      plane.jump(fault.ms)
  }
}

/** A workload's row as a bug, a hand or a damaged disk may have left it. */
function poisonRow(pick: number): Workload {
  const rows: readonly unknown[] = [
    {},
    { uid: 'poison', project: 'default', name: 'poison', want: 'running', generation: 1 },
    { uid: 7, manifest: { replicas: { min: 1e9 }, nodes: -1, roles: [] }, want: 'running', scale: {} },
    { uid: 'poison', manifest: null, want: 'sideways', scale: null },
  ]
  // It is not a workload: that is the point.
  return rows[Math.floor(pick * rows.length)] as Workload
}
