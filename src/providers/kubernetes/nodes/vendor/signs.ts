import type { NodeObject } from '../object/node-object.ts'
import { NOTHING_KNOWN, type Accelerators, type NodeVendor } from './accelerators.ts'
import { machineOf } from './machine.ts'
import { registeredCards } from './nvidia/registered.ts'

/**
 * Signs of accelerators on a node that offers none: labels, taints and the type of the machine. Whether the cards are there
 * is unknown; that no pod can ask for them is certain. Undefined: no sign either.
 */
export function readSigns(node: NodeObject): Accelerators | undefined {
  const sign = signOf(node)
  if (sign === undefined) return undefined
  return {
    ...NOTHING_KNOWN,
    vendor: sign.vendor,
    barred: `${sign.text}, but no resource in status.capacity offers it`,
    why: [],
  }
}

interface Sign {
  readonly vendor: NodeVendor | undefined
  readonly text: string
}

function signOf(node: NodeObject): Sign | undefined {
  for (const [key, value] of node.labels) {
    const vendor = LABELS.find(([, pattern]) => pattern.test(key))?.[0]
    if (vendor !== undefined && !isNo(value)) return { vendor, text: `label ${key}=${value}` }
  }
  const karpenter =
    node.labels.get('karpenter.k8s.aws/instance-gpu-count') ?? node.labels.get('karpenter.azure.com/sku-gpu-count')
  if (karpenter !== undefined && !isNo(karpenter)) return { vendor: 'nvidia', text: `a label counts ${karpenter} GPU` }
  const machine = machineOf(node)
  if (machine !== undefined) {
    const text = `a ${machine.named} has ${machine.count ?? 'some'} ${machine.gpu.name}`
    return { vendor: machine.gpu.vendor, text }
  }
  const registered = registeredCards(node)
  if (registered !== undefined) return { vendor: 'nvidia', text: `annotation ${registered.annotation}` }
  const taint = node.taints.find(({ key }) => TAINTS.test(key))
  return taint === undefined ? undefined : { vendor: undefined, text: `taint ${taint.key}` }
}

const LABELS: readonly (readonly [NodeVendor, RegExp])[] = [
  ['nvidia', /^nvidia\.com\/gpu(\.(present|product|count|memory|family|machine))?$/],
  ['nvidia', /^feature\.node\.kubernetes\.io\/pci-(\w+_)?10de(\..+)?\.present$/],
  [
    'nvidia',
    /^(cloud\.google\.com\/gke-accelerator|gpu\.nvidia\.com\/(class|model)|k8s\.amazonaws\.com\/accelerator)$/,
  ],
  ['nvidia', /^akash\.network\/capabilities\.gpu\.vendor\.nvidia\./],
  ['amd', /^akash\.network\/capabilities\.gpu\.vendor\.amd\./],
  ['amd', /^(beta\.)?amd\.com\/gpu\./],
  ['amd', /^feature\.node\.kubernetes\.io\/(amd-gpu|pci-03\w+_1002\.present)$/],
  ['google', /^cloud\.google\.com\/gke-tpu-(accelerator|topology)$/],
  ['aws', /^karpenter\.k8s\.aws\/instance-accelerator-name$/],
  ['intel', /^gpu\.intel\.com\/(device-id\..+\.(present|count)|product)$/],
]

const TAINTS = /^(nvidia\.com\/gpu|amd\.com\/gpu|google\.com\/tpu|aws\.amazon\.com\/neuron|habana\.ai\/gaudi)$/

/** Labels of nodes without cards say so, or nothing. */
function isNo(value: string): boolean {
  return /^(|false|no|none|0|null|unknown)$/i.test(value)
}
