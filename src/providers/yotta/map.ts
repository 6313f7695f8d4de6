import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { residencyOfRegion } from '../../core/hardware/residency.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { OfferDraft } from '../../core/offer/identity.ts'
import type { Instance } from '../../ports/provider.ts'
import type { CloudMachine, CloudStart } from '../cloud/api.ts'
import { noteText, ownerPrefix, readNoteText, type CloudNote } from '../cloud/note.ts'
import { cloudOffer } from '../cloud/offer.ts'
import { isWanted } from '../cloud/settings.ts'
import { readNamed, readPod, type YottaCard, type YottaOrder, type YottaPod } from './api.ts'
import type { YottaSettings } from './settings.ts'

/** How many cards a pod is offered with: Yotta takes powers of two. */
const COUNTS: readonly number[] = [1, 2, 4, 8]

interface Sale {
  readonly provider: string
  readonly seenAtMs: number
}

export function offersOf(
  card: YottaCard,
  { provider, seenAtMs }: Sale,
  settings: YottaSettings,
): readonly OfferDraft[] {
  const each = settings.prices[card.gpuType]
  const places = card.regions.filter(({ region }) => isWanted(settings, region))
  return places.flatMap(({ region, available }) =>
    COUNTS.map((count) =>
      cloudOffer({
        provider,
        region,
        instance: `${count}x ${card.gpuType}`,
        cards: { cloud: 'yotta', named: card.gpuType, count },
        inbound: false,
        usdPerHour: each === undefined ? undefined : each * count,
        stock: { level: available ? 'available' : 'sold_out', units: available ? undefined : 0, seenAtMs },
        residency: residencyOfRegion(region),
      }),
    ),
  )
}

/** What an offer's name says; undefined: it is no name of ours. */
export function shapeOf(instance: string): { readonly count: number; readonly card: string } | undefined {
  const match = /^(\d{1,2})x (\S{1,100})$/.exec(instance)
  return match === null ? undefined : { count: Number(match[1]), card: match[2] ?? '' }
}

const NAME_MOST = 255

/** A name is all that Yotta keeps of what it is told, so the whole note is in it. Ports are not: they cannot be reached. */
function podName({ tag }: Pick<CloudNote, 'tag'>): string {
  const text = noteText({ tag, ports: [] })
  return `${ownerPrefix(tag.owner)}${deflateRawSync(text, { level: 9 }).toString('base64url')}`
}

function noteIn(name: string): CloudNote | undefined {
  const written = /^berth-[0-9a-f]{8}-([\w-]+)$/.exec(name)?.[1]
  if (written === undefined) return undefined
  try {
    return readNoteText(inflateRawSync(Buffer.from(written, 'base64url'), { maxOutputLength: 4096 }).toString('utf8'))
  } catch {
    return undefined
  }
}

/** What Yotta cannot be told, in words; undefined: it can. */
export function unsayable(order: Order): string | undefined {
  if (shapeOf(order.place.instance) === undefined) return `${order.place.instance} is no machine of Yotta.`
  if (order.command.length + order.args.length > 0)
    return 'Yotta takes no arguments for an image: command and args must be in the image itself.'
  return podName(order).length > NAME_MOST
    ? 'The names of project, workload and role are too long for Yotta.'
    : undefined
}

export function orderOf({ order, env }: CloudStart, settings: YottaSettings): YottaOrder {
  const { count = 1, card = '' } = shapeOf(order.place.instance) ?? {}
  return {
    name: podName(order),
    image: order.image,
    gpuType: card,
    gpuCount: count,
    regions: [order.place.region],
    containerVolumeInGb: Math.ceil(order.diskGib ?? settings.diskGb),
    ...(order.shmGib !== undefined && { shmInGb: Math.ceil(order.shmGib) }),
    environmentVars: Object.entries(env).map(([key, value]) => ({ key, value })),
    expose: order.ports.map(({ port }) => ({ port, protocol: 'HTTP' })),
    ...(settings.registryAuth !== undefined && {
      containerRegistryAuthId: settings.registryAuth,
      imagePublicType: 'PRIVATE',
    }),
  }
}

/** Every entry of a list; one that cannot be read still has its name. */
export function machineOf(value: unknown): CloudMachine {
  const pod = readPod(value)
  return pod === undefined ? { ...readNamed(value), note: undefined, state: 'unclear' } : machineOfPod(pod)
}

export function machineOfPod({ id, name, status }: YottaPod): CloudMachine {
  const state = STATES[status.toUpperCase()] ?? 'unclear'
  const isFailed = status.toUpperCase() === 'FAILED'
  return {
    id: String(id),
    name: name === '' ? 'nameless' : name,
    note: noteIn(name),
    state,
    ...(isFailed && { exit: { kind: 'start', why: 'Yotta says that it failed: no capacity, or no such image' } }),
    endedItself: status.toUpperCase() === 'STOPPED',
    lingers: state === 'ended' && status.toUpperCase() !== 'TERMINATED',
  }
}

/** The spec does not list them; these are the ones that its guides name. */
const STATES: Readonly<Partial<Record<string, Instance['state']>>> = {
  INITIALIZE: 'starting',
  INITIALIZING: 'starting',
  PENDING: 'starting',
  CREATING: 'starting',
  STARTING: 'starting',
  RUNNING: 'up',
  PAUSED: 'ended',
  STOPPED: 'ended',
  FAILED: 'ended',
  TERMINATED: 'ended',
}
