import { randomBytes } from 'node:crypto'
import { httpBerth } from '../../src/client/client.ts'
import { Secret } from '../../src/ports/secret.ts'
import { sleep } from '../plane/plane.ts'

/** What an administrator saw who asked again and again. */
export interface AdminSaw {
  readonly tookMs: readonly number[]
  readonly failed: readonly string[]
}

/**
 * The administrator, in a process of its own: what the hostile ones do with theirs must not count as time of the control
 * plane. Arguments: address, seconds. The token comes through the environment; what was seen is printed as JSON.
 */
async function ask(url: string, seconds: number, token: string): Promise<AdminSaw> {
  const berth = httpBerth({
    url,
    token: new Secret(token),
    timers: { sleep: () => Promise.reject(new Error('asked once')) },
    random: { next: Math.random, id: () => randomBytes(12).toString('hex') },
    timeoutMs: 30_000,
    fetch,
  })
  const tookMs: number[] = []
  const failed: string[] = []
  const endMs = Date.now() + seconds * 1000
  while (Date.now() < endMs) {
    const startMs = performance.now()
    await berth.workloads({ limit: 100 }).catch((error: unknown) => failed.push(String(error)))
    tookMs.push(performance.now() - startMs)
    await sleep(100)
  }
  return { tookMs, failed }
}

const [url = '', seconds = '0'] = process.argv.slice(2)
console.log(JSON.stringify(await ask(url, Number(seconds), process.env['BERTH_TOKEN'] ?? '')))
