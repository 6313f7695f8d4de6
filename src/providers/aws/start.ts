import type { CreateFleetCommandOutput, InstanceTypeInfo, Subnet } from '@aws-sdk/client-ec2'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Answer, Call, Launched } from '../../ports/provider.ts'
import type { CloudStart } from '../cloud/api.ts'
import type { AwsApi } from './api.ts'
import { fleetFault } from './faults.ts'
import { fleetOf, templateOf, userDataOf, type AwsSpot } from './launch.ts'
import { machineId } from './machines.ts'
import { archOf, spotNow } from './offers.ts'
import type { AwsSettings } from './settings.ts'

export interface Starting {
  readonly api: AwsApi
  readonly settings: AwsSettings
  readonly call: Call
  readonly nowMs: number
}

/** Everything that may be refused is asked before anything is made, and the template is gone before the answer is given. */
export async function launched(start: CloudStart, starting: Starting): Promise<Answer<Launched>> {
  const { api, settings, call } = starting
  const { region } = start.order.place
  const data = userDataOf(start, settings)
  if (data === undefined)
    return no({
      class: 'BAD_REQUEST',
      message: 'env, command and args are too large together: EC2 takes 16 kB, packed.',
    })
  const ready = await readyFor(start, starting)
  if (!ready.ok) return no({ ...ready.fault, created: 'no' })
  const { spot, usdPerHour } = ready.value
  const template = await api.createTemplate(region, templateOf(start, settings), call)
  // No machine comes of a template. One that was made all the same is found by its age.
  if (!template.ok) return no({ ...template.fault, created: 'no' })
  try {
    const fleet = await api.createFleet(
      region,
      fleetOf(start, { template: template.value, data, spot, settings }),
      call,
    )
    return fleet.ok ? startedIn(fleet.value, region, usdPerHour) : fleet
  } finally {
    await api.deleteTemplate(region, template.value, call)
  }
}

/** What is known before anything is made. */
export interface AwsReady {
  readonly spot: AwsSpot
  readonly usdPerHour: number
  readonly type: InstanceTypeInfo
  readonly subnets: readonly Subnet[]
}

export async function readyFor(
  { order }: CloudStart,
  { api, settings, call, nowMs }: Starting,
): Promise<Answer<AwsReady>> {
  const { region, zone, instance, market } = order.place
  if (!settings.regions.includes(region))
    return no({ class: 'OFFER_GONE', message: `the settings of this provider do not name ${region} any more` })
  const [subnets, types, prices] = await Promise.all([
    api.subnets(region, settings.subnets, call),
    api.typesNamed(region, [instance], call),
    market === 'spot' ? spotPrice(api, { region, zone, instance, nowMs, call }) : api.prices(region, [instance], call),
  ])
  if (!subnets.ok) return subnets
  if (!types.ok) return types
  if (!prices.ok) return prices
  const usdPerHour = prices.value.get(instance)
  const gone =
    usdPerHour === undefined ? 'has no price' : usdPerHour > order.usdPerHourMax ? `costs $${usdPerHour}/h` : undefined
  if (usdPerHour === undefined || gone !== undefined)
    return no({ class: 'OFFER_GONE', message: `${instance} ${gone} now.` })
  const [type] = types.value.items
  const arch = type === undefined ? undefined : archOf(type)
  if (type === undefined || arch === undefined)
    return no({ class: 'OFFER_GONE', message: `${instance} is not sold in ${region}.` })
  const here = subnets.value.items.filter(({ AvailabilityZone }) => zone === undefined || AvailabilityZone === zone)
  const ids = here.flatMap(({ SubnetId }) => SubnetId ?? [])
  if (ids.length === 0) return no({ class: 'NO_MATCHING_SHAPE', message: `there is no subnet in ${zone ?? region}` })
  return { ok: true, value: { spot: { subnets: ids, arch }, usdPerHour, type, subnets: here } }
}

async function spotPrice(
  api: AwsApi,
  asked: {
    readonly region: string
    readonly zone: string | undefined
    readonly instance: string
    readonly nowMs: number
    readonly call: Call
  },
): Promise<Answer<ReadonlyMap<string, number>>> {
  const { region, zone, instance, nowMs, call } = asked
  const answer = await api.spotPrices(region, [instance], { ...call, nowMs })
  if (!answer.ok) return answer
  const usd = spotNow(answer.value.items).get(`${instance} ${zone}`)
  return { ok: true, value: new Map(usd === undefined ? [] : [[instance, usd]]) }
}

function startedIn(fleet: CreateFleetCommandOutput | undefined, region: string, usdPerHour: number): Answer<Launched> {
  const ids = (fleet?.Instances ?? []).flatMap(({ InstanceIds }) => InstanceIds ?? [])
  const [id] = ids
  if (id !== undefined) return { ok: true, value: { instance: machineId(region, id), usdPerHour } }
  const refusals = (fleet?.Errors ?? []).map(({ ErrorCode, ErrorMessage }) => ({
    code: ErrorCode,
    text: ErrorMessage ?? '',
  }))
  return no(fleetFault(refusals))
}

function no(fault: Fault): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault }
}
