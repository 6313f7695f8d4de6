import type { Order } from '../../../core/life/call/order.ts'

/** The group of KubeRay. */
export const RAY_GROUP = 'ray.io'

/** What stands for work there, and the resource that it is kept as. */
export const RAY_RESOURCES = { RayJob: 'rayjobs', RayService: 'rayservices' } as const

export type RayKind = keyof typeof RAY_RESOURCES

export const RAY_KINDS: readonly RayKind[] = ['RayJob', 'RayService']

/** Which of them an order becomes; undefined: it asks for no Ray. */
export function rayKindOf({ framework }: Pick<Order, 'framework'>): RayKind | undefined {
  if (framework === undefined) return undefined
  return framework === 'ray' ? 'RayJob' : 'RayService'
}
