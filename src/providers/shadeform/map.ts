import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine, CloudStart } from '../cloud/api.ts'
import { machineName, noteParts, readNoteParts } from '../cloud/note.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { isWanted } from '../cloud/settings.ts'
import { startScript } from '../cloud/vm/cloud-init.ts'
import { vmPlan } from '../cloud/vm/plan.ts'
import type { VmSale } from '../cloud/vm/vm-cloud.ts'
import { readInstance, readNamed, type ShadeformInstance, type ShadeformOrder, type ShadeformType } from './api.ts'
import type { ShadeformSettings } from './settings.ts'

const GB_IN_GIB = 1e9 / 2 ** 30

/** A machine of one cloud in each of its regions. Containers of other clouds take no script of ours. */
export function offersOf(
  type: ShadeformType,
  { provider, seenAtMs }: VmSale,
  settings: ShadeformSettings,
): readonly OfferDraft[] {
  const { cloud, configuration: has } = type
  if (type.deployment_type === 'container' || (settings.clouds !== undefined && !settings.clouds.includes(cloud)))
    return []
  const link = has.num_gpus < 2 || has.nvlink === undefined ? undefined : has.nvlink ? 'nvlink' : undefined
  const seconds = type.boot_time?.max_boot_in_sec
  return type.availability
    .filter(({ region }) => isWanted(settings, region))
    .map(({ region, available }) =>
      cloudOffer({
        provider,
        region,
        instance: `${cloud}/${type.shade_instance_type}`,
        cards:
          has.num_gpus === 0
            ? undefined
            : {
                cloud: 'shadeform',
                named: has.gpu_type.replaceAll('_', ' '),
                machine: type.cloud_instance_type,
                count: has.num_gpus,
                vramGb: has.vram_per_gpu_in_gb,
                ...(link !== undefined && { link }),
              },
        cpu: has.vcpus,
        memoryGib: has.memory_in_gb * GB_IN_GIB,
        diskGib: has.storage_in_gb * GB_IN_GIB,
        inbound: true,
        usdPerHour: type.hourly_price / 100,
        stock: { level: available ? 'available' : 'sold_out', units: available ? undefined : 0, seenAtMs },
        startSeconds: seconds,
        residency: residencyOfRegion(region),
        trust: cloud,
      }),
    )
}

/** The cloud and the machine in the name of an offer; undefined: it is no name of ours. */
export function shapeOf(instance: string): { readonly cloud: string; readonly type: string } | undefined {
  const at = instance.indexOf('/')
  return at <= 0 ? undefined : { cloud: instance.slice(0, at), type: instance.slice(at + 1) }
}

const TAG = 'berth-'
const TAG_MOST = 60

export function orderOf(start: CloudStart, settings: ShadeformSettings, os: string | undefined): ShadeformOrder {
  const { place, tag } = start.order
  const shape = shapeOf(place.instance)
  const script = startScript(vmPlan(start, { status: settings.statusPort }))
  return {
    cloud: shape?.cloud ?? '',
    region: place.region,
    shade_instance_type: shape?.type ?? '',
    shade_cloud: settings.isShadeCloud,
    name: machineName(tag),
    ...(os !== undefined && { os }),
    ...(settings.sshKey !== undefined && { ssh_key_id: settings.sshKey }),
    tags: noteParts(start.note, TAG_MOST - TAG.length).map((part) => `${TAG}${part}`),
    launch_configuration: {
      type: 'script',
      script_configuration: { base64_script: Buffer.from(script).toString('base64') },
    },
  }
}

/** An image of the cloud with the driver and docker, if it has one; undefined: what the cloud takes by itself. */
export function systemOf({ configuration }: ShadeformType): string | undefined {
  const options = configuration.os_options.filter((os) => /cuda|shade_os/i.test(os))
  return options.toSorted().at(-1)
}

/** Every entry of a list; one that cannot be read still has its name. */
export function machineOf(value: unknown): CloudMachine {
  const instance = readInstance(value)
  return instance === undefined
    ? { ...readNamed(value), note: undefined, state: 'unclear' }
    : machineOfInstance(instance)
}

function machineOfInstance(instance: ShadeformInstance): CloudMachine {
  const { id, name, ip = '', status, status_details: said = '', tags, hourly_price: cents } = instance
  const note = readNoteParts((tags ?? []).filter((tag) => tag.startsWith(TAG)).map((tag) => tag.slice(TAG.length)))
  const isFailed = status === 'error'
  const state = STATES[status] ?? 'unclear'
  return {
    id,
    name: name === '' ? 'nameless' : name,
    note,
    state,
    ...(isFailed && {
      exit: { kind: 'start', why: said === '' ? 'Shadeform says that it failed' : said.slice(0, 300) },
    }),
    ...(ip !== '' && {
      ports: new Map((note?.ports ?? []).map(({ port }) => [port, { host: ip, port, tls: false }])),
      address: ip,
    }),
    ...(cents !== undefined && { usdPerHour: cents / 100 }),
    lingers: isFailed,
  }
}

const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  creating: 'starting',
  pending_provider: 'starting',
  pending: 'starting',
  active: 'up',
  error: 'ended',
  deleting: 'unclear',
  deleted: 'ended',
}
