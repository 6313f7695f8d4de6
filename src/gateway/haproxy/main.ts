import { join, resolve } from 'node:path'
import type { GatewayAsk } from '../../cli/cli.ts'
import { makeLog } from '../../cli/log.ts'
import type { GatewayDeps } from '../deps.ts'
import { Feed } from '../feed.ts'
import { Haproxy } from './haproxy.ts'

/** How often HAProxy is looked at, and so how long a change may take to reach it. */
const LOOK_MS = 200

/** `berth gateway haproxy`: keeps a HAProxy in line with the routes until it is told to stop. HAProxy goes on without it. */
export async function followWithHaproxy(
  { flags, berth }: Extract<GatewayAsk, { readonly ask: 'haproxy' }>,
  { terminal, timers }: GatewayDeps,
): Promise<number> {
  const folder = resolve(flags.folder)
  const log = makeLog({ write: terminal.err, format: flags.log })
  const haproxy = new Haproxy({ ...flags, folder, log, nowMs: () => performance.now() })
  const open = (signal: AbortSignal) => berth().routes({ follow: true }, signal)
  const feed = new Feed(haproxy, { open, file: join(folder, 'routes.json'), log, timers })
  const stop = new AbortController()
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => (stop.signal.aborted ? process.exit(130) : stop.abort()))
  }
  const feeding = feed.run(stop.signal)
  await haproxy.look()
  terminal.out(`HAProxy for http://${flags.listen}: haproxy -f ${haproxy.config}\n`)
  while (!stop.signal.aborted) {
    await timers.sleep(LOOK_MS, stop.signal)
    await haproxy.look()
  }
  await feeding
  return 0
}
