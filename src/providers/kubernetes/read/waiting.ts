import type { Fault } from '../../../core/life/call/fault.ts'
import type { Instance } from '../../../core/life/call/instance.ts'
import { FETCH, QUEUE_ANNOTATION } from '../names.ts'
import type { SeenPod } from './pod.ts'

/** Why it will never start as it is ordered, in words that say what to change; undefined: it may still start. */
export function stuckStart({ main, image, before }: SeenPod): string | undefined {
  // As long as something prepares the pod, its own container waits for that.
  const stuck = [main, ...before].find((one) => one?.waiting !== undefined && one.waiting.reason !== 'PodInitializing')
  const { reason = '', message = '' } = stuck?.waiting ?? {}
  if (stuck?.name === FETCH) return courierStuck(reason, message)
  switch (reason) {
    case 'InvalidImageName':
      return `image: ${image} is not the name of an image; correct it in the manifest.`
    case 'ErrImageNeverPull':
      return `image: ${image} is not on the node, and the cluster does not allow to fetch it.`
    case 'ErrImagePull':
    case 'ImagePullBackOff':
      return imageWrong(image, message)
    case 'CreateContainerConfigError':
      return /runAsNonRoot/.test(message) ? asRoot(image) : undefined
    case 'CreateContainerError':
    case 'RunContainerError':
      return `the image ${image} could not be started: ${short(message)}`
  }
  return undefined
}

/** The image that brings the data is none of the manifest's. */
function courierStuck(reason: string, message: string): string | undefined {
  const isWrong = reason === 'InvalidImageName' || reason === 'ErrImageNeverPull'
  const isMissing = /^(?:ErrImagePull|ImagePullBackOff)$/.test(reason) && imageWrong('', message) !== undefined
  if (!isWrong && !isMissing) return undefined
  return `the image that fetches its storage cannot be had: correct the provider's setting storage_image. ${short(message)}`
}

/** Only what no later try can change: a registry that is slow, full or out of reach is no fault of the manifest. */
function imageWrong(image: string, message: string): string | undefined {
  if (/not found|manifest unknown|no such (?:image|manifest)|name unknown|repository does not exist/i.test(message))
    return `image: ${image} does not exist in its registry; correct it in the manifest. ${short(message)}`
  if (/no match for platform|no matching manifest/i.test(message))
    return `image: ${image} does not exist for the processor of the node; build it for that, or state \`host_arch\`. ${short(message)}`
  if (/unauthorized|authentication required|denied|forbidden|\b40[13]\b/i.test(message))
    return `image: ${image} may not be fetched: is its name right, and does the provider's setting pull_secrets name a secret for its registry? ${short(message)}`
  return undefined
}

function asRoot(image: string): string {
  return `the image ${image} runs as root, which the provider's setting \`security: restricted\` forbids: use an image with a user of its own, or set run_as_user, or security: baseline.`
}

/** It waits for a machine, or is on its way. */
export function waitOf(pod: SeenPod, told?: string): Pick<Instance, 'state' | 'reason'> {
  const { conditions, isPinned, node, annotations } = pod
  if (node !== undefined) return { state: 'starting' }
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled')
  const queue = annotations[QUEUE_ANNOTATION]
  if (queue !== undefined) {
    const said = scheduled?.status === 'False' && scheduled.reason !== 'SchedulingGated' ? scheduled.message : ''
    return { state: 'queued', reason: reasonText(queue, told ?? (said || 'it waits for its turn')) }
  }
  const isGated = scheduled?.reason === 'SchedulingGated'
  // Bound to one node, it must start soon or go elsewhere: a wait that no deadline ends would hold it there.
  if (!isGated && isPinned) return { state: 'starting' }
  if (!isGated && scheduled?.status !== 'False') return { state: 'starting' }
  return { state: 'queued', reason: short(scheduled?.message || scheduled?.reason || 'the cluster does not say why') }
}

/** A reason with the name of the queue that it comes from. */
export function reasonText(queue: string | undefined, why: string): string {
  return queue === undefined ? short(why) : `queue ${queue}: ${short(why)}`
}

/** Why the scheduler has no node for it, as a refusal; undefined: it has not said that. */
export function unschedulable({ conditions, node }: SeenPod): Fault | undefined {
  const scheduled = conditions.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (node !== undefined || scheduled === undefined || !isRefused(scheduled)) return undefined
  const known = UNSCHEDULABLE.find(({ says }) => says.test(scheduled.message))
  return { class: known?.class ?? 'TRANSIENT', message: short(scheduled.message), created: 'yes' }
}

/** A selector of devices that fails is an error of the scheduler: the pod goes nowhere until somebody corrects the class or the slice. */
function isRefused({ reason, message }: { readonly reason: string; readonly message: string }): boolean {
  return reason === 'Unschedulable' || (reason === 'SchedulerError' && message.includes('"DynamicResources"'))
}

/** In the order in which they decide: a node that is gone has no room either, and a taint of sickness is no shape. */
const UNSCHEDULABLE: readonly { readonly says: RegExp; readonly class: Fault['class'] }[] = [
  { says: /quota/i, class: 'QUOTA' },
  { says: /device class \S+ does not exist/i, class: 'NO_MATCHING_SHAPE' },
  { says: /Insufficient (?:[a-z0-9.-]+\/)?[\w.-]+|Too many pods|cannot allocate all claims/i, class: 'SOLD_OUT' },
  {
    says: /were unschedulable|untolerated taint\(?s?\)? ?\{?(?:node\.kubernetes\.io|node\.cloudprovider)/i,
    class: 'SOLD_OUT',
  },
  { says: /untolerated taint/i, class: 'NO_MATCHING_SHAPE' },
  { says: /didn't match Pod's node affinity|no nodes available|0\/0 nodes/i, class: 'OFFER_GONE' },
]

function short(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
