import * as z from 'zod'
import { textAsWritten } from '../../core/document/traits.ts'
import type { IssueParams } from '../../core/document/traits.ts'
import { CARDS_MAX } from '../../core/pack/engine/states.ts'
import { cpu, duration, memory, oneOrMore, optional, required, share, version } from '../../core/manifest/fields.ts'
import { expandName, NODES_MAX, type NodeNames } from './names.ts'

export type FleetFileText = z.infer<typeof fleetSchema>
export type NodeText = FleetFileText['nodes'][number]
export type GpuText = NonNullable<NodeText['gpu']>
export type TenantText = NonNullable<FleetFileText['running']>[number]

/** What editors and other tools know of the file. */
export function fleetJsonSchema(): Record<string, unknown> {
  return { title: 'Berth fleet', ...z.toJSONSchema(fleetSchema, { io: 'input', unrepresentable: 'any' }) }
}

const name = textAsWritten({ word: 'a name' }).min(1).max(200)
const card = z
  .int()
  .min(0)
  .max(CARDS_MAX - 1)
const cards = z.array(card).min(1).max(CARDS_MAX)
const health = z.enum(['ok', 'degraded', 'failing'])

/** One node, or a row of them: `dgx-001`, `dgx-{001..012}`. */
const nodeName = textAsWritten({ word: 'a name such as dgx-001 or dgx-{001..012}' })
  .max(200)
  .transform((text, context): NodeNames => {
    const expanded = expandName(text)
    if (expanded.kind === 'names') return expanded.names
    const params: IssueParams = { hint: expanded.hint }
    context.issues.push({ code: 'custom', input: text, message: expanded.message, params: { ...params } })
    return z.NEVER
  })

const sharing = z.union([
  z.enum(['none', 'share', 'mig']),
  z.strictObject({
    share: optional(cards, { description: 'Cards that are shared.', examples: [[0, 1]] }),
    mig: optional(cards, { description: 'Cards in MIG mode.', examples: [[2, 3]] }),
  }),
])

const gpu = z.strictObject({
  model: required(name, { description: 'An id of the hardware table or any name it knows.', examples: ['h100-sxm'] }),
  count: optional(z.int().min(1).max(CARDS_MAX), { description: 'Cards in each node.', default: 1, examples: [8] }),
  sharing: optional(sharing, {
    description: 'What smaller than a card can be had: nothing, a share, or MIG slices; for all cards or by card.',
    default: 'none',
    examples: ['mig'],
  }),
})

const node = z.strictObject({
  name: required(
    nodeName,
    { description: 'One node, or a row of equal ones.', examples: ['dgx-{001..012}'] },
    { also: ['id', 'node', 'host', 'hostname'] },
  ),
  gpu: optional(gpu, { description: 'Its cards.', examples: [{ model: 'h100-sxm', count: 8 }] }, { also: ['gpus'] }),
  cpu: required(cpu, { description: 'Processors that containers may use.', examples: [224] }, { also: ['cpus'] }),
  memory: required(
    memory,
    { description: 'Main memory that containers may use.', examples: ['2Ti'] },
    { also: ['ram'] },
  ),
  disk: optional(memory, { description: 'Its own disk.', examples: ['27Ti'] }),
  wiring: optional(
    textAsWritten({ word: 'a word for the wiring, or the text of nvidia-smi topo -m' }).min(1).max(16_384),
    { description: 'How its cards are joined.', examples: ['nvswitch'] },
    { also: ['topology', 'interconnect'] },
  ),
  zone: optional(name, { description: 'Where it stands.', examples: ['a'] }),
  fabric: optional(name, { description: 'The network fabric it is on.', examples: ['ib-1'] }),
  rack: optional(name, { description: 'Its rack.', examples: ['r7'] }),
  nvlink_domain: optional(name, { description: 'The NVLink domain it is in.', examples: ['nvl72-1'] }),
  health: optional(health, { description: 'What checks say of its cards.', examples: ['ok'] }),
  host_arch: optional(z.enum(['amd64', 'arm64']), {
    description: 'Its processors; known without saying for cards that exist beside one kind only.',
    examples: ['amd64'],
  }),
  driver: optional(version, { description: 'NVIDIA driver on it.', examples: ['570.133.20'] }),
  cuda: optional(version, { description: 'Newest CUDA that its driver serves.', examples: ['12.8'] }),
  inbound: optional(z.boolean(), { description: 'Whether callers outside can reach a port of it.', examples: [true] }),
  volume: optional(memory, { description: 'The largest volume that can be attached to it.', examples: ['8Ti'] }),
})

const slice = z.strictObject({
  profile: required(name, { description: 'A MIG profile.', examples: ['1g.10gb'] }),
  start: required(z.int().min(0).max(15), {
    description: 'Where it begins, as nvidia-smi mig -lgi prints it.',
    examples: [4],
  }),
})

const tenant = z.strictObject({
  name: required(name, { description: 'What runs.', examples: ['llama-70b'] }),
  node: required(
    nodeName,
    { description: 'Where; on several nodes the same on each.', examples: ['dgx-001'] },
    { also: ['on', 'host', 'nodes'] },
  ),
  cpu: required(cpu, { description: 'Processors it holds on each node.', examples: [16] }, { also: ['cpus'] }),
  memory: required(memory, { description: 'Memory it holds on each node.', examples: ['64Gi'] }, { also: ['ram'] }),
  disk: optional(memory, { description: 'Disk it holds on each node.', examples: ['100Gi'] }),
  cards: optional(cards, { description: 'Numbers of the cards it is on.', examples: [[0, 1]] }, { also: ['gpu'] }),
  gpus: optional(card, { description: 'How many whole cards, where nobody knows which.', examples: [2] }),
  share: optional(share, { description: 'How much of each card.', examples: ['25%'] }),
  slice: optional(slice, { description: 'Its MIG slice.', examples: [{ profile: '1g.10gb', start: 4 }] }),
  models: optional(oneOrMore(name), { description: 'Cards that would do as well.', examples: [['h100-sxm']] }),
  restart: optional(z.enum(['inference', 'training']), {
    description: 'What a restart costs: next to nothing, or the work since the last checkpoint.',
    default: 'training',
  }),
  priority: optional(z.int().min(-1_000_000_000).max(1_000_000_000), {
    description: 'Higher goes first.',
    default: 0,
    examples: [10],
  }),
  checkpoint_age: optional(
    duration,
    { description: 'Time since its last checkpoint.', examples: ['4m'] },
    { also: ['checkpoint'] },
  ),
})

/** A fleet as its users write it. Whatever is left out is unknown. */
export const fleetSchema = z.strictObject({
  berth: required(z.literal('v1'), { description: 'Version of the format.', examples: ['v1'] }),
  kind: required(z.literal('fleet'), { description: 'What the file describes.', examples: ['fleet'] }),
  nodes: required(z.array(node).min(1).max(NODES_MAX), {
    description: 'The machines.',
    examples: [[{ name: 'dgx-01', gpu: { model: 'h100-sxm', count: 8 }, cpu: 128, memory: '2Ti' }]],
  }),
  health: optional(z.record(name, health), {
    description: 'What checks say, by node or by node and card; it goes before what the node says.',
    examples: [{ 'dgx-007/3': 'failing' }],
  }),
  running: optional(z.array(tenant).max(100_000), { description: 'What runs already.' }),
})
