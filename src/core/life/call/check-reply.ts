import type { Offer } from '../../offer/offer.ts'
import { readAddress, type PortAddress } from './address.ts'
import type { Exit } from './exit.ts'
import { FAULTS, type Fault, type FaultClass } from './fault.ts'
import type { Instance } from './instance.ts'
import type { Tag } from './order.ts'

/** A reply that breaks the contract is worth as little as no reply. These functions copy what is valid into a fresh value. */

const TEXT_MAX = 500

/** A number that can be an amount of money or a quantity. */
function amount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= 1e9 ? value : undefined
}

function object(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  // Proven: an object that is not an array can be read by any key.
  return value as Record<string, unknown>
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= TEXT_MAX ? value : undefined
}

/** As much of the text as is worth keeping. */
function someText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, TEXT_MAX) : undefined
}

/** The fault that the provider answered, or the default one for a reply that cannot be understood. */
export function readFault(value: unknown, otherwise: 'TRANSIENT' | 'AMBIGUOUS'): Fault {
  const fault = object(value)
  const name = fault?.['class']
  const message = someText(fault?.['message']) ?? 'the reply could not be understood'
  if (typeof name !== 'string' || !Object.hasOwn(FAULTS, name)) return { class: otherwise, message }
  const ttlMs = amount(fault?.['ttlMs'])
  const retryAfterMs = amount(fault?.['retryAfterMs'])
  const scope = SCOPES.find((known) => known === fault?.['scope'])
  const created = CREATED.find((known) => known === fault?.['created'])
  const instance = text(fault?.['instance'])
  return {
    // Proven: it is a key of the table.
    class: name as FaultClass,
    message,
    ...(scope && { scope }),
    ...(ttlMs !== undefined && { ttlMs }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(created && { created }),
    ...(instance !== undefined && { instance }),
  }
}

const CREATED = ['no', 'maybe', 'yes'] as const
const SCOPES = ['offer', 'region', 'instance', 'provider', 'none'] as const

interface Launched {
  readonly instance: string
  readonly usdPerHour: number
  readonly isQuoted?: boolean
}

/** The answer to the launch of a group: each member, by rank. Anything else says nothing about any of them. */
export function readGroup(value: unknown, size: number): readonly Launched[] | undefined {
  if (!Array.isArray(value)) return undefined
  const members = value.map(readLaunched).filter((member) => member !== undefined)
  const names = new Set(members.map(({ instance }) => instance))
  const isEach = value.length === size && names.size === size
  return isEach ? members : undefined
}

export function readLaunched(value: unknown): Launched | undefined {
  const launched = object(value)
  const instance = text(launched?.['instance'])
  const usdPerHour = amount(launched?.['usdPerHour'])
  if (instance === undefined || usdPerHour === undefined) return undefined
  return { instance, usdPerHour, ...(launched?.['isQuoted'] === true && { isQuoted: true }) }
}

export function readStopped(value: unknown): { readonly gone: boolean } | undefined {
  const gone = object(value)?.['gone']
  return typeof gone === 'boolean' ? { gone } : undefined
}

/** An instance, the answer that there is none, or undefined for a reply that cannot be read. */
export function readDescribed(value: unknown): Instance | { readonly state: 'absent' } | undefined {
  return object(value)?.['state'] === 'absent' ? { state: 'absent' } : readInstance(value)
}

/** The entries of a list that can be read. An entry that cannot be read makes the list incomplete. */
export function readListing(
  value: unknown,
): { readonly instances: readonly Instance[]; readonly complete: boolean } | undefined {
  const listing = object(value)
  const entries = listing?.['instances']
  if (!Array.isArray(entries)) return undefined
  const instances = entries.map(readInstance).filter((instance) => instance !== undefined)
  return { instances, complete: listing?.['complete'] === true && instances.length === entries.length }
}

export function readInstance(value: unknown): Instance | undefined {
  const entry = object(value)
  const instance = text(entry?.['instance'])
  const tag = readTag(entry?.['tag'])
  if (entry === undefined || instance === undefined || tag === undefined) return undefined
  const exit = readExit(entry['exit'])
  const ports = readPorts(entry['ports'])
  const checkpointMs = moment(entry['checkpointMs'])
  const endsAtMs = moment(entry['endsAtMs'])
  const usdPerHour = amount(entry['usdPerHour'])
  const state = STATES.find((known) => known === entry['state']) ?? 'unclear'
  const reason = state === 'queued' ? someText(entry['reason']) : undefined
  return {
    instance,
    tag,
    state,
    ...(reason !== undefined && { reason }),
    ...(typeof entry['healthy'] === 'boolean' && { healthy: entry['healthy'] }),
    ...(exit && { exit }),
    ...(entry['endedItself'] === true && { endedItself: true }),
    ...(ports && { ports }),
    ...(usdPerHour !== undefined && { usdPerHour }),
    ...(endsAtMs !== undefined && { endsAtMs }),
    ...(checkpointMs !== undefined && { checkpointMs }),
  }
}

const STATES = ['queued', 'starting', 'up', 'ended', 'unclear'] as const

function readTag(value: unknown): Tag | undefined {
  const tag = object(value)
  if (tag === undefined) return undefined
  const [owner, project, workload, uid] = [tag['owner'], tag['project'], tag['workload'], tag['uid']].map(text)
  const [slot, attempt] = [text(tag['slot']), text(tag['attempt'])]
  const epoch = amount(tag['epoch'])
  if (owner === undefined || project === undefined || workload === undefined || uid === undefined) return undefined
  if (slot === undefined || attempt === undefined || epoch === undefined) return undefined
  return { owner, project, workload, uid, slot, epoch, attempt }
}

function readExit(value: unknown): Exit | undefined {
  const exit = object(value)
  switch (exit?.['kind']) {
    case 'code': {
      const code = exit['code']
      return typeof code === 'number' && Number.isInteger(code) ? { kind: 'code', code } : undefined
    }
    case 'signal':
      return { kind: 'signal', signal: text(exit['signal']) ?? '?' }
    case 'start':
      return { kind: 'start', why: someText(exit['why']) ?? '' }
    case 'storage':
      return { kind: 'storage', why: someText(exit['why']) ?? '' }
    case 'out-of-memory':
      return { kind: 'out-of-memory' }
    case 'preempted':
      return { kind: 'preempted' }
    case 'machine':
      return { kind: 'machine' }
    case undefined:
      return undefined
  }
  return undefined
}

function readPorts(value: unknown): Readonly<Record<string, PortAddress>> | undefined {
  const ports = object(value)
  if (ports === undefined) return undefined
  return Object.fromEntries(
    Object.entries(ports).flatMap(([name, written]) => {
      const address = readAddress(written)
      return address === undefined ? [] : [[name, address]]
    }),
  )
}

/** A plausible time, in ms since 1970. */
function moment(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 && value < 1e14 ? value : undefined
}

/** Whether an offer's quantities are plausible. An offer with implausible ones is left out. */
export function isSoundOffer(value: unknown): value is Offer {
  const offer = object(value)
  if (offer === undefined) return false
  const texts = ['id', 'provider', 'region', 'instance'].every((key) => text(offer[key]) !== undefined)
  const numbers = ['cpu', 'memoryGib', 'diskGib', 'usdPerHour', 'spotUsdPerHour', 'quotaLeft', 'startSeconds'].every(
    (key) => offer[key] === undefined || offer[key] === null || amount(offer[key]) !== undefined,
  )
  const isQuota = offer['quota'] === undefined || text(offer['quota']) !== undefined
  const units = object(offer['stock'])?.['units']
  return texts && numbers && isQuota && (units === undefined || units === null || amount(units) !== undefined)
}
