import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { pythonOf } from '../../engines/build/python.ts'

/** Python loads much, and engines of others may be at work. */
const TRIES = 1000
const TRY_MS = 200

/** A server of moto: EC2 as far as it is pretended there. */
export interface Moto {
  readonly url: string
  /** An image of it: its list of them takes seconds. */
  readonly image: string
  /** Forgets all that was made. */
  readonly reset: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Starts one that ends with this process. `npm run test:engines` has installed it. */
export async function startMoto(): Promise<Moto> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(pythonOf('moto'), ['-m', 'moto.server', '-H', '127.0.0.1', '-p', `${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, MOTO_EC2_ENABLE_INSTANCE_TYPE_VALIDATION: 'true' },
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-2000)))
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  await answers(url, child, () => said)
  const image = await anImage(url)
  return {
    url,
    image,
    reset: async () => void (await fetch(`${url}/moto-api/reset`, { method: 'POST' })),
    stop: async () => {
      process.off('exit', kill)
      const ended = once(child, 'exit')
      kill()
      await ended
    },
  }
}

async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (let turn = 0; turn < TRIES; turn++) {
    if (child.exitCode !== null) break
    const reply = await fetch(`${url}/moto-api/data.json`).catch(() => undefined)
    if (reply?.ok === true) return
    await sleep(TRY_MS)
  }
  child.kill('SIGKILL')
  throw new Error(`moto does not answer:\n${said()}`)
}

/** The first question of all is also the slowest: moto makes a whole account for it. */
async function anImage(url: string): Promise<string> {
  return /<imageId>(ami-[0-9a-f]+)</.exec(await askMoto(url, 'DescribeImages', {}))?.[1] ?? ''
}

/** A question of the test itself. */
export async function askMoto(
  url: string,
  action: string,
  { region = 'us-east-1', ...form }: Readonly<Record<string, string>>,
): Promise<string> {
  const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${region}/ec2/aws4_request, SignedHeaders=host, Signature=0`
  const body = new URLSearchParams({ Action: action, Version: '2016-11-15', ...form })
  const reply = await fetch(url, { method: 'POST', headers: { authorization }, body })
  return reply.text()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Proven: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}
