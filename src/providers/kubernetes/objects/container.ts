import type { Order } from '../../../core/life/call/order.ts'
import { berthVariables, portVariables } from '../../local/process/environment.ts'
import { MAIN } from '../names.ts'
import type { KubernetesSettings } from '../settings.ts'
import { CARDS } from './claim.ts'
import { hasData } from './courier.ts'
import type { Ground } from './ground.ts'
import { gibText } from './volumes.ts'

/** What runs, with what it may use. It holds names of secrets and never their values. */
export function containerFor(
  order: Order,
  { name, ground, mounts, security }: ContainerWith,
): Readonly<Record<string, unknown>> {
  const { command, args, ports } = order
  return {
    name: MAIN,
    image: order.image,
    ...(command.length > 0 && { command: command.map(literal) }),
    ...(args.length > 0 && { args: args.map(literal) }),
    env: variablesOf(order, { secret: name, hasCards: hasCardsOn(ground) }),
    ...(ports.length > 0 && { ports: ports.map(({ port }) => ({ containerPort: port, protocol: 'TCP' })) }),
    resources: resourcesOf(order, ground),
    ...(mounts.length > 0 && { volumeMounts: mounts }),
    ...probeOf(order),
    securityContext: securityOf(security),
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }
}

export interface ContainerWith {
  /** Of the pod, and of the secret beside it. */
  readonly name: string
  readonly ground: Ground
  readonly mounts: readonly object[]
  readonly security: KubernetesSettings['security']
}

/** Kubernetes replaces `$(NAME)` and `$$` in commands and variables; what a manifest says is meant literally. */
function literal(text: string): string {
  return text.replaceAll('$', () => '$$')
}

/** Images that ask for all cards would see them where the cards' runtime is the default; a workload without cards sees none. */
const NO_CARDS = { NVIDIA_VISIBLE_DEVICES: 'void' }

function variablesOf(
  order: Order,
  { secret, hasCards }: { readonly secret: string; readonly hasCards: boolean },
): readonly object[] {
  const ports = order.ports.map((port) => ({ ...port, host: undefined }))
  const cards = hasCards ? {} : NO_CARDS
  const own: Readonly<Record<string, string>> = { ...portVariables(ports), ...cards, ...berthVariables(order) }
  const hidden = order.secrets.filter((name) => !Object.hasOwn(own, name))
  const plain = Object.entries({ ...order.env, ...own }).filter(([name]) => !hidden.includes(name))
  return [
    ...plain.map(([name, value]) => ({ name, value: literal(value) })),
    ...hidden.map((name) => ({ name, valueFrom: { secretKeyRef: { name: secret, key: name } } })),
  ]
}

/**
 * It gets what it asks for and no more. Requests equal limits, so that the cluster does not take it away first when memory is
 * short, and whole processors can be its own. What an order leaves open is counted as the decision counted it, without a limit.
 */
function resourcesOf(order: Order, { cards, devices }: Ground): object {
  const { cpu, memoryGib, diskGib, place } = order
  const counted = place.node?.request
  const disk = diskGib === undefined ? {} : { 'ephemeral-storage': gibText(diskGib) }
  const stated = (more: object): object => ({
    ...(cpu !== undefined && { cpu: `${Math.ceil(cpu * 1000)}m` }),
    ...(memoryGib !== undefined && { memory: gibText(memoryGib) }),
    ...more,
    ...(cards !== undefined && { [cards.resource]: `${cards.count}` }),
  })
  const assumed = {
    ...(counted !== undefined && counted.cpuMilli > 0 && { cpu: `${counted.cpuMilli}m` }),
    ...(counted !== undefined && counted.memoryMib > 0 && { memory: `${counted.memoryMib}Mi` }),
  }
  const claims = [{ name: CARDS }]
  return {
    requests: { ...assumed, ...stated(disk) },
    // Data in volumes on the node's disk would count towards a limit, however large it is.
    limits: stated(hasData(order) ? {} : disk),
    ...(devices !== undefined && { claims }),
  }
}

/** It is ready once its first health path answers. Nothing is killed for being slow: whether to replace it, Berth decides. */
function probeOf({ ports }: Pick<Order, 'ports'>): object {
  const asked = ports.find(({ health }) => health !== undefined)
  if (asked?.health === undefined) return {}
  const httpGet = { path: asked.health, port: asked.port, scheme: 'HTTP' }
  return { readinessProbe: { httpGet, periodSeconds: 5, timeoutSeconds: 3, failureThreshold: 2 } }
}

function securityOf(security: KubernetesSettings['security']): object {
  return security === 'restricted' ? { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } } : {}
}

function hasCardsOn({ cards, fraction, devices }: Ground): boolean {
  return cards !== undefined || fraction !== undefined || devices !== undefined
}
