import type { Order } from '../../core/life/call/order.ts'
import type { LaunchCall } from '../../ports/provider.ts'
import { berthVariables, portVariables } from '../local/process/environment.ts'

/** The environment of a workload on a rented machine. Every port is the one that the manifest states. */
export function cloudEnvironment(order: Order, secrets: LaunchCall['secrets']): Readonly<Record<string, string>> {
  const values = order.secrets.map((name) => [name, secrets.get(name)?.reveal() ?? ''] as const)
  return {
    ...order.env,
    ...Object.fromEntries(values),
    ...portVariables(order.ports.map(({ name, port }) => ({ name, port, host: undefined }))),
    ...berthVariables(order),
  }
}

/** What no machine can be told, in words; undefined: it can. */
export function wrongWith(order: Order, secrets: LaunchCall['secrets']): string | undefined {
  const missing = order.secrets.find((name) => !secrets.has(name))
  if (missing !== undefined) return `The secret ${missing} has no value. Set it with berth secret set ${missing}.`
  const name = [...Object.keys(order.env), ...order.secrets].find((each) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(each))
  if (name !== undefined)
    return `env: ${JSON.stringify(name).slice(0, 80)} is no name of a variable; use letters, digits and _.`
  const values = [...Object.values(order.env), ...order.secrets.map((each) => secrets.get(each)?.reveal() ?? '')]
  if ([...values, ...order.command, ...order.args, order.image].some((text) => text.includes('\0')))
    return 'A variable, an argument or the image has a zero byte in it, which no program can be given.'
  if (!IMAGE.test(order.image)) return `image: ${JSON.stringify(order.image).slice(0, 80)} is no reference of an image.`
  return undefined
}

const IMAGE = /^[a-z0-9][\w.:@/+-]{0,254}$/i
