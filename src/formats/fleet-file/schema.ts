import * as z from 'zod'
import { textAsWritten } from '../../core/document/traits.ts'
import type { IssueParams } from '../../core/document/traits.ts'
import { CARDS_MAX } from '../../core/pack/engine/states.ts'
import { cpu, memory, oneOrMore, optional, required, version } from '../../core/requirement/fields.ts'
import { duration, share } from '../../core/manifest/fields.ts'
import { expandName, NODES_MAX, type NodeNames } from './names.ts'

export type FleetFileText = z.infer<typeof fleetSchema>
export type NodeText = FleetFileText['nodes'][number]
export type GpuText = NonNullable<NodeText['gpu']>
export type TenantText = NonNullable<FleetFileText['running']>[number]

/** The JSON Schema of the file, for editors and other tools. */
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

/** One node, or a range of them: `dgx-001`, `dgx-{001..012}`. */
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
    share: optional(cards, { description: 'Cards that workloads may share.', examples: [[0, 1]] }),
    mig: optional(cards, { description: 'Cards in MIG mode.', examples: [[2, 3]] }),
  }),
])

const gpu = z.strictObject({
  model: required(name, {
    description: 'Id in the hardware table, or any name that it knows.',
    examples: ['h100-sxm'],
  }),
  count: optional(z.int().min(1).max(CARDS_MAX), { description: 'Cards in each node.', default: 1, examples: [8] }),
  sharing: optional(sharing, {
    description: 'Parts of a card that can be used: none, a share, or MIG slices; for all cards or by card.',
    default: 'none',
    examples: ['mig'],
  }),
})

const node = z.strictObject({
  name: required(
    nodeName,
    { description: 'Name of the node, or of several equal nodes.', examples: ['dgx-{001..012}'] },
    { also: ['id', 'node', 'host', 'hostname'] },
  ),
  gpu: optional(gpu, { description: 'Its cards.', examples: [{ model: 'h100-sxm', count: 8 }] }, { also: ['gpus'] }),
  cpu: required(cpu, { description: 'CPUs that containers may use.', examples: [224] }, { also: ['cpus'] }),
  memory: required(
    memory,
    { description: 'Main memory that containers may use.', examples: ['2Ti'] },
    { also: ['ram'] },
  ),
  disk: optional(memory, { description: 'Its own disk.', examples: ['27Ti'] }),
  wiring: optional(
    textAsWritten({ word: 'a word for the wiring, or the text of nvidia-smi topo -m' }).min(1).max(16_384),
    { description: 'Links between its cards.', examples: ['nvswitch'] },
    { also: ['topology', 'interconnect'] },
  ),
  zone: optional(name, { description: 'Zone of the node.', examples: ['a'] }),
  fabric: optional(name, { description: 'Network fabric of the node.', examples: ['ib-1'] }),
  rack: optional(name, { description: 'Its rack.', examples: ['r7'] }),
  nvlink_domain: optional(name, { description: 'NVLink domain of the node.', examples: ['nvl72-1'] }),
  health: optional(health, { description: 'Health of its cards.', examples: ['ok'] }),
  host_arch: optional(z.enum(['amd64', 'arm64']), {
    description: 'Processor architecture. Not needed for cards that exist with only one.',
    examples: ['amd64'],
  }),
  driver: optional(version, { description: 'NVIDIA driver on the node.', examples: ['570.133.20'] }),
  cuda: optional(version, { description: 'Newest CUDA that its driver supports.', examples: ['12.8'] }),
  inbound: optional(z.boolean(), { description: 'Whether callers outside can reach its ports.', examples: [true] }),
  volume: optional(memory, { description: 'The largest volume that can be attached to it.', examples: ['8Ti'] }),
})

const slice = z.strictObject({
  profile: required(name, { description: 'A MIG profile.', examples: ['1g.10gb'] }),
  start: required(z.int().min(0).max(15), {
    description: 'Start of the slice, as nvidia-smi mig -lgi prints it.',
    examples: [4],
  }),
})

const tenant = z.strictObject({
  name: required(name, { description: 'Name of what runs.', examples: ['llama-70b'] }),
  node: required(
    nodeName,
    { description: 'Node or nodes that it runs on; it uses the same amount on each.', examples: ['dgx-001'] },
    { also: ['on', 'host', 'nodes'] },
  ),
  cpu: required(cpu, { description: 'CPUs that it uses on each node.', examples: [16] }, { also: ['cpus'] }),
  memory: required(memory, { description: 'Memory that it uses on each node.', examples: ['64Gi'] }, { also: ['ram'] }),
  disk: optional(memory, { description: 'Disk that it uses on each node.', examples: ['100Gi'] }),
  cards: optional(cards, { description: 'Numbers of the cards that it uses.', examples: [[0, 1]] }, { also: ['gpu'] }),
  gpus: optional(card, { description: 'Number of whole cards, where it is not known which.', examples: [2] }),
  share: optional(share, { description: 'Share of each card that it uses.', examples: ['25%'] }),
  slice: optional(slice, { description: 'Its MIG slice.', examples: [{ profile: '1g.10gb', start: 4 }] }),
  models: optional(oneOrMore(name), { description: 'Other card models that it could use.', examples: [['h100-sxm']] }),
  restart: optional(z.enum(['inference', 'training']), {
    description: 'What a restart costs: almost nothing (inference), or the work since the last checkpoint (training).',
    default: 'training',
  }),
  priority: optional(z.int().min(-1_000_000_000).max(1_000_000_000), {
    description: 'Priority; a higher number goes first.',
    default: 0,
    examples: [10],
  }),
  checkpoint_age: optional(
    duration,
    { description: 'Time since its last checkpoint.', examples: ['4m'] },
    { also: ['checkpoint'] },
  ),
})

/** A fleet as users write it. What is left out is unknown. */
export const fleetSchema = z.strictObject({
  berth: required(z.literal('v1'), { description: 'Version of the format.', examples: ['v1'] }),
  kind: required(z.literal('fleet'), { description: 'What the file describes.', examples: ['fleet'] }),
  nodes: required(z.array(node).min(1).max(NODES_MAX), {
    description: 'The machines.',
    examples: [[{ name: 'dgx-01', gpu: { model: 'h100-sxm', count: 8 }, cpu: 128, memory: '2Ti' }]],
  }),
  health: optional(z.record(name, health), {
    description: 'Health by node, or by node and card. It overrides the health of the node entry.',
    examples: [{ 'dgx-007/3': 'failing' }],
  }),
  running: optional(z.array(tenant).max(100_000), { description: 'What already runs on the nodes.' }),
})
