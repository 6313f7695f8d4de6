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
import { readMachine, readNamed, type DigitaloceanOrder, type DigitaloceanType } from './api.ts'
import type { DigitaloceanSettings } from './settings.ts'

/** Where a machine that is sold out would be. */
const NOWHERE = 'sold-out'

/** A machine in every region that has it; what is not told is left out. */
export function offersOf(
  type: DigitaloceanType,
  { provider, seenAtMs }: VmSale,
  settings: DigitaloceanSettings,
): readonly OfferDraft[] {
  const { count, vram } = type.gpu_info
  // All cards together, as the names of sizes say: gpu-h100x8-640gb.
  const vramGb = vram?.unit.toLowerCase() === 'gib' ? vram.amount / count : undefined
  // A size that is sold out everywhere has no region.
  const regions = type.regions.length === 0 ? [NOWHERE] : type.regions
  return regions
    .filter((region) => region === NOWHERE || isWanted(settings, region))
    .map((region) =>
      cloudOffer({
        provider,
        region,
        instance: type.slug,
        cards: {
          cloud: 'digitalocean',
          named: type.gpu_info.model.replaceAll('_', ' '),
          machine: type.slug,
          count: type.gpu_info.count,
          ...(vramGb !== undefined && { vramGb }),
        },
        cpu: type.vcpus,
        memoryGib: type.memory / 1024,
        diskGib: type.disk,
        inbound: true,
        usdPerHour: type.price_hourly,
        stock: { level: type.available ? 'available' : 'sold_out', units: type.available ? undefined : 0, seenAtMs },
        residency: residencyOfRegion(region),
      }),
    )
}

/** The whole tag travels with the machine, in as many labels as it takes. */
const TAG = 'berth-'
/** Letters, digits, colons, dashes and underscores, at most 255. */
const TAG_MOST = 250

export function orderOf(start: CloudStart, { statusPort, image, sshKeys }: DigitaloceanSettings): DigitaloceanOrder {
  const { place, tag } = start.order
  return {
    name: machineName(tag),
    size: place.instance,
    region: place.region,
    image,
    ssh_keys: sshKeys,
    tags: noteParts(start.note, TAG_MOST - TAG.length).map((part) => `${TAG}${part}`),
    user_data: cloudInit(vmPlan(start, { status: statusPort })),
  }
}

/** Every entry of a list; one that cannot be read still has its name. */
export function machineOf(value: unknown): CloudMachine {
  const machine = readMachine(value)
  if (machine === undefined) return { ...readNamed(value), note: undefined, state: 'unclear' }
  const { id, name, status, size, networks, tags } = machine
  const ip = networks.v4?.find(({ type }) => type === 'public')?.ip_address
  const note = readNoteParts(tags.filter((tag) => tag.startsWith(TAG)).map((tag) => tag.slice(TAG.length)))
  return {
    id: String(id),
    // Ours have a name from the beginning.
    name: name === '' ? 'nameless' : name,
    note,
    state: STATES[status] ?? 'unclear',
    ...(ip !== undefined && {
      ports: new Map((note?.ports ?? []).map(({ port }) => [port, { host: ip, port, tls: false }])),
      address: ip,
    }),
    usdPerHour: size.price_hourly,
    // A machine that is off is paid for all the same.
    lingers: status === 'off',
  }
}

/** A state that is not here proves nothing. */
const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  new: 'starting',
  active: 'up',
  off: 'ended',
}
