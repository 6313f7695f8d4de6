import type { NotedPort } from '../note.ts'
import type { StartOrder } from '../runtime.ts'
import { slotOfSeat } from '../../../core/life/slots.ts'

/**
 * The environment of a workload: a little of the host's, the manifest's `env`, its ports and cards, and secrets. Berth's own
 * environment is not passed on: it may hold keys.
 */
export function environmentFor({
  order,
  ports,
  secrets,
  cards,
}: Pick<StartOrder, 'order' | 'secrets' | 'cards'> & { readonly ports: readonly NotedPort[] }): Readonly<
  Record<string, string>
> {
  const env: Record<string, string> = { ...baseEnvironment(), ...order.env }
  for (const [name, secret] of secrets) env[name] = secret.reveal()
  return { ...env, ...portVariables(ports), ...cardVariables(cards), ...berthVariables(order) }
}

/** `PORT` for the first port, `PORT_<NAME>` for each. */
export function portVariables(ports: readonly Pick<NotedPort, 'name' | 'host' | 'port'>[]): Record<string, string> {
  const [first] = ports
  const named = ports.map(({ name, port, host = port }) => [
    `PORT_${name.toUpperCase().replaceAll('-', '_')}`,
    `${host}`,
  ])
  return { ...(first !== undefined && { PORT: `${first.host ?? first.port}` }), ...Object.fromEntries(named) }
}

/** A workload without cards sees none. */
function cardVariables(cards: readonly string[] | undefined): Record<string, string> {
  return cards === undefined ? {} : { CUDA_VISIBLE_DEVICES: cards.join(',') }
}

/** What a workload may want to know about itself. Its processes are found again by the attempt. */
export function berthVariables({ tag, resumeFromMs }: StartOrder['order']): Record<string, string> {
  return {
    BERTH_ATTEMPT: tag.attempt,
    BERTH_WORKLOAD: tag.workload,
    BERTH_SLOT: slotOfSeat(tag.slot),
    BERTH_EPOCH: String(tag.epoch),
    ...(resumeFromMs !== undefined && { BERTH_RESUME_FROM_MS: String(resumeFromMs) }),
  }
}

export function baseEnvironment(): Readonly<Record<string, string>> {
  const passed = PASSED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(passed) }
}

const PASSED = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH']
