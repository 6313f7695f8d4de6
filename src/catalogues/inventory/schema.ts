import * as z from 'zod'
import { textAsWritten } from '../../core/document/traits.ts'
import type { IssueParams } from '../../core/document/traits.ts'
import { cpu, memory, optional, required, version } from '../../core/requirement/fields.ts'
import { duration } from '../../core/manifest/fields.ts'
import { parseVramGib } from '../../core/base/units.ts'

/** One offer as users write it. What is left out is unknown. */
export type OfferFile = z.infer<typeof offerSchema>
export type GpuFile = NonNullable<OfferFile['gpu']>
/** The name of a MIG profile, or the size of a share in GiB. */
export type SliceFile = NonNullable<GpuFile['slice']>
export type StockFile = NonNullable<OfferFile['stock']>
export type RefusalFile = z.infer<typeof refusalSchema>

/** The JSON Schema of the file, for editors and other tools. */
export function inventoryJsonSchema(): Record<string, unknown> {
  const whole = inventorySchema.extend({ offers: z.array(offerSchema) })
  return { title: 'Berth inventory', ...z.toJSONSchema(whole, { io: 'input', unrepresentable: 'any' }) }
}

const name = textAsWritten({ word: 'a name' }).min(1).max(200)
const area = textAsWritten({ word: 'a legal area' }).min(1).max(32)
const usd = z.number().min(0).max(1_000_000)
const units = z.int().min(0).max(1_000_000)
const level = z.enum(['available', 'low', 'sold_out'])

const time = z.iso.datetime({
  offset: true,
  error: 'A time needs a date and a time zone, as in 2026-11-15T10:00:00Z.',
})

const slice = textAsWritten({ word: 'a MIG profile or an amount of memory' }).transform((text, context) => {
  if (/^\d+g\.\d+gb(?:\+[a-z.]+)?$/.test(text)) return text
  const parsed = parseVramGib(text)
  if (parsed.kind === 'amount') return parsed.value
  const params: IssueParams = { code: 'QUANTITY_INVALID', hint: 'For example: slice: 1g.10gb, or slice: 12Gi' }
  const message = 'This is neither a MIG profile nor an amount of memory.'
  context.issues.push({ code: 'custom', input: text, message, params: { ...params } })
  return z.NEVER
})

const stock = z.union([
  level,
  units,
  z.strictObject({
    level: optional(level, { description: 'How much is left.' }),
    units: optional(units, { description: 'Machines left.', examples: [3] }),
    seen: optional(time, { description: 'When this was seen.', examples: ['2026-11-15T10:00:00Z'] }),
  }),
])

const gpu = z.strictObject({
  model: required(name, {
    description: 'Id in the hardware table, or any name that it knows.',
    examples: ['h100-sxm'],
  }),
  count: optional(z.int().min(1).max(1024), {
    description: 'Number of cards, or of slices, in the machine.',
    default: 1,
    examples: [8],
  }),
  slice: optional(slice, { description: 'A MIG profile, or the memory of a share.', examples: ['1g.10gb'] }),
  link: optional(z.enum(['pcie', 'nvlink', 'nvswitch']), { description: 'Link between the cards.' }),
})

export const offerSchema = z.strictObject({
  provider: required(name, { description: 'Provider that sells or owns the machine.', examples: ['northwind'] }),
  region: required(name, { description: 'Region, as the provider names it.', examples: ['north-1'] }),
  zone: optional(name, { description: 'Zone in the region.', examples: ['b'] }),
  instance: required(
    name,
    { description: 'The provider’s name for the machine.', examples: ['nw-h100-4'] },
    { also: ['instance_type'] },
  ),
  capacity: optional(z.enum(['rented', 'owned']), {
    description: 'Whether it is already paid for.',
    default: 'rented',
  }),
  gpu: optional(gpu, { description: 'Its accelerators.', examples: [{ model: 'h100-sxm', count: 8 }] }),
  cpu: optional(cpu, { description: 'CPUs that containers may use.', examples: [64] }),
  memory: optional(memory, { description: 'Main memory.', examples: ['800Gi'] }),
  disk: optional(memory, { description: 'Its own disk.', examples: ['4Ti'] }),
  volume: optional(memory, { description: 'The largest volume that can be attached.', examples: ['16Ti'] }),
  host_arch: optional(z.enum(['amd64', 'arm64']), { description: 'Processor architecture of the host.' }),
  driver: optional(version, { description: 'NVIDIA driver on the host.', examples: ['570.133.20'] }),
  cuda: optional(version, { description: 'Newest CUDA that the host supports.', examples: ['12.8'] }),
  inbound: optional(z.boolean(), { description: 'Whether callers outside can reach its ports.' }),
  domain: optional(z.enum(['zone', 'rack', 'nvlink_domain']), {
    description: 'How close together several of these machines can be placed.',
  }),
  usd_per_hour: optional(usd, { description: 'Price of the whole machine.', examples: [9.4] }, { also: ['price'] }),
  spot_usd_per_hour: optional(
    usd,
    { description: 'Spot price of the whole machine.', examples: [5.2] },
    { also: ['spot_price'] },
  ),
  stock: optional(stock, { description: 'A level, a number of machines, or both.', examples: [3] }),
  quota_left: optional(units, { description: 'How many more of these machines the account may have.', examples: [4] }),
  health: optional(z.enum(['ok', 'degraded', 'failing']), { description: 'Result of its health checks.' }),
  start: optional(duration, { description: 'Time from the order to a running container.', examples: ['2m'] }),
  reliability: optional(z.number().min(0).max(1), {
    description: 'Share of orders that started and stayed up.',
    examples: [0.99],
  }),
  egress_usd_per_gib: optional(usd, { description: 'Price of outgoing traffic.', examples: [0.01] }),
  residency: optional(area, { description: 'Legal area of the machine.', examples: ['eu'] }),
  trust: optional(name, { description: 'Trust domain of the hardware.', examples: ['secure'] }),
})

const refusalSchema = z
  .strictObject({
    provider: optional(name, { description: 'Provider that refused.', examples: ['northwind'] }),
    region: optional(name, { description: 'Left out: in every region.', examples: ['north-1'] }),
    instance: optional(name, { description: 'Left out: every instance.', examples: ['nw-h100-4'] }),
    why: required(z.enum(['sold-out', 'quota', 'fault']), { description: 'Reason for the refusal.' }),
    at: required(time, { description: 'When.', examples: ['2026-11-15T10:00:00Z'] }),
    until: required(time, { description: 'Time until which the refusal counts.', examples: ['2026-11-15T10:30:00Z'] }),
  })
  .superRefine(({ at, until }, context) => {
    if (Date.parse(at) < Date.parse(until)) return
    const params: IssueParams = { code: 'VALUE_CONFLICT', hint: 'A refusal counts from `at` until `until`.' }
    const message = '`until` must be later than `at`.'
    context.addIssue({ code: 'custom', path: ['until'], message, params: { ...params } })
  })

/** The file around the offers. Offers are checked one by one, so that a mistake in one does not stop the others. */
export const inventorySchema = z.strictObject({
  berth: required(z.literal('v1'), { description: 'Version of the format.', examples: ['v1'] }),
  kind: required(z.literal('inventory'), { description: 'What the file describes.', examples: ['inventory'] }),
  observed: optional(time, { description: 'When this was true.', examples: ['2026-11-15T10:00:00Z'] }),
  provider: optional(name, { description: 'Provider of offers and refusals that name none.', examples: ['northwind'] }),
  defaults: optional(z.record(name, offerSchema.omit({ provider: true, instance: true, gpu: true }).partial()), {
    description: 'Values by provider for what an offer leaves out.',
    examples: [{ northwind: { residency: 'eu' } }],
  }),
  offers: required(z.array(z.unknown()), { description: 'The machines.', examples: [[]] }),
  refusals: optional(z.array(refusalSchema), { description: 'Refusals that are remembered.' }),
})
