import type { Order } from '../../core/life/call/order.ts'
import { storagePlan } from '../storage/plan.ts'
import type { LaunchCall } from '../../ports/provider.ts'

/** What is wrong with an order wherever it would run; undefined: nothing. */
export function wrongWith(
  order: Order,
  { secrets, storageSecrets = new Map() }: Pick<LaunchCall, 'secrets' | 'storageSecrets'>,
): string | undefined {
  const { image, env, storage, command, args } = order
  if (!/^[A-Za-z0-9][^\s]*$/.test(image)) return `image: ${image.slice(0, 80)} is not the name of an image.`
  const missing = order.secrets.find((name) => !secrets.has(name))
  if (missing !== undefined) return `secrets: the value of ${missing} is missing.`
  const odd = [...Object.keys(env), ...order.secrets].find((name) => !/^[A-Za-z_][A-Za-z0-9_.-]*$/.test(name))
  if (odd !== undefined) return `env: ${odd.slice(0, 80)} is not the name of a variable.`
  if ([...Object.values(env), ...command, ...args].some((text) => text.includes('\0')))
    return 'command: a word or a variable has a NUL character.'
  const wrong = storage.find(({ mount }) => !mount.startsWith('/') || mount.includes(':'))
  if (wrong !== undefined) return `storage: ${wrong.mount.slice(0, 80)} cannot be mounted.`
  const plan = storagePlan(order, storageSecrets)
  return typeof plan === 'string' ? plan : undefined
}
