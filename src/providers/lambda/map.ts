import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine, CloudStart } from '../cloud/api.ts'
import { machineName, noteParts, readNoteParts } from '../cloud/note.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { isWanted } from '../cloud/settings.ts'
import { cloudInit } from '../cloud/vm/cloud-init.ts'
import { vmPlan } from '../cloud/vm/plan.ts'
import type { VmSale } from '../cloud/vm/vm-cloud.ts'
import { readInstance, readNamed, type LambdaInstance, type LambdaOrder, type LambdaType } from './api.ts'
import type { LambdaSettings } from './settings.ts'

/** Where a machine that is sold out would be: Lambda names only regions with room. */
const NOWHERE = 'sold-out'

/** A machine in every region that has it; one that is sold out everywhere is an offer, too. */
export function offersOf(
  type: LambdaType,
  { provider, seenAtMs }: VmSale,
  settings: LambdaSettings,
): readonly OfferDraft[] {
  const { instance_type: machine, regions_with_capacity_available: regions } = type
  const { specs } = machine
  const names = regions.map(({ name }) => name).filter((name) => isWanted(settings, name))
  return (names.length === 0 ? [NOWHERE] : names).map((region) =>
    cloudOffer({
      provider,
      region,
      instance: machine.name,
      cards: specs.gpus === 0 ? undefined : cardsOf(machine, specs.gpus),
      cpu: specs.vcpus,
      memoryGib: specs.memory_gib,
      diskGib: specs.storage_gib,
      inbound: settings.isInbound,
      usdPerHour: machine.price_cents_per_hour / 100,
      stock: {
        level: region === NOWHERE ? 'sold_out' : 'available',
        units: region === NOWHERE ? 0 : undefined,
        seenAtMs,
      },
      residency: region === NOWHERE ? undefined : residencyOfRegion(region),
      trust: 'secure-cloud',
    }),
  )
}

/** `H100 (80 GB SXM5)` names the card; `gpu_8x_h100_sxm5` the machine. */
function cardsOf({ name, gpu_description: text }: LambdaType['instance_type'], count: number) {
  return { cloud: 'lambda', named: text.replaceAll(/[()]/g, ' ').replaceAll(/\s+/g, ' ').trim(), machine: name, count }
}

const TAG = 'berth-note-'
/** Lambda keeps 128 characters of a value. */
const TAG_MOST = 120

export function orderOf(start: CloudStart, settings: LambdaSettings): LambdaOrder {
  const { place, tag } = start.order
  const status = settings.isInbound ? settings.statusPort : 0
  return {
    region_name: place.region,
    instance_type_name: place.instance,
    ssh_key_names: [settings.sshKey],
    name: machineName(tag),
    user_data: cloudInit(vmPlan(start, { status })),
    tags: noteParts(start.note, TAG_MOST).map((value, index) => ({ key: `${TAG}${index}`, value })),
    ...(settings.firewallRuleset !== undefined && { firewall_rulesets: [{ id: settings.firewallRuleset }] }),
  }
}

/** Every entry of a list; one that cannot be read still has its name. */
export function machineOf(value: unknown): CloudMachine {
  const instance = readInstance(value)
  return instance === undefined
    ? { ...readNamed(value), note: undefined, state: 'unclear' }
    : machineOfInstance(instance)
}

function machineOfInstance({ id, name = '', ip, status, tags, instance_type: type }: LambdaInstance): CloudMachine {
  const parts = tags.filter(({ key }) => key.startsWith(TAG)).map(({ value }) => value)
  const note = readNoteParts(parts)
  const state = STATES[status] ?? 'unclear'
  return {
    id,
    // A machine without a name was not started by us: ours have one from the beginning.
    name: name === '' ? 'nameless' : name,
    note,
    state,
    ...(status === 'preempted' && { exit: { kind: 'preempted' } }),
    ...(ip !== undefined && {
      ports: new Map((note?.ports ?? []).map(({ port }) => [port, { host: ip, port, tls: false }])),
      address: ip,
    }),
    usdPerHour: type.price_cents_per_hour / 100,
    lingers: status === 'preempted',
  }
}

/**
 * A machine that does not feel well may do so again. Until then it is starting: one that was up stays what it is, and one that
 * never was runs out of time. That it is being ended does not mean that it has ended.
 */
const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  booting: 'starting',
  active: 'up',
  unhealthy: 'starting',
  terminating: 'unclear',
  terminated: 'ended',
  preempted: 'ended',
}
