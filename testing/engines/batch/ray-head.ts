import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pythonOf } from '../build/python.ts'
import { NODE_IP } from '../rig/namespace.ts'

/** Where KubeRay looks for the API of a head. */
const DASHBOARD = 8265
const WITHIN_MS = 180_000

/** The head of a real Ray cluster, at the address that fake heads have. */
export interface RayHead {
  readonly url: string
  readonly stop: () => void
}

/**
 * Starts one with so many cards that are not there. `npm run test:engines` has installed Ray. `modules` are what its programs can import: texts
 * by name.
 */
export async function startRayHead(cards: number, modules: Readonly<Record<string, string>> = {}): Promise<RayHead> {
  // Sockets lie in it, and their paths must be short.
  const folder = mkdtempSync('/tmp/ray-')
  const own = join(folder, 'modules')
  mkdirSync(own)
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(own, `${name}.py`), text)
  const python = pythonOf('ray')
  const flags = {
    'node-ip-address': NODE_IP,
    port: '6379',
    'num-cpus': '4',
    'num-gpus': `${cards}`,
    'dashboard-host': NODE_IP,
    'dashboard-port': `${DASHBOARD}`,
    'object-store-memory': '100000000',
    'temp-dir': folder,
  }
  const start = [
    'start',
    '--head',
    '--block',
    '--disable-usage-stats',
    ...Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`),
  ]
  // The commands of jobs are to find the same Python.
  const path = [dirname(python), process.env['PATH'] ?? ''].join(delimiter)
  const child = spawn(python, ['-c', 'from ray.scripts.scripts import main; main()', ...start], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: path,
      PYTHONPATH: own,
      VIRTUAL_ENV: join(dirname(python), '..'),
      RAY_DISABLE_IMPORT_WARNING: '1',
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(-3000)))
  const stop = (): void => {
    // All that it has started is in its group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  const url = `http://${NODE_IP}:${DASHBOARD}`
  const endMs = performance.now() + WITHIN_MS
  while (!(await answers(url))) {
    if (child.exitCode !== null || performance.now() > endMs) {
      stop()
      throw new Error(`Ray does not answer:\n${said}`)
    }
    await sleep(200)
  }
  return { url, stop }
}

/** Its agent takes jobs a little later than its API answers. */
async function answers(url: string): Promise<boolean> {
  const reply = await fetch(`${url}/api/jobs/`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
  return reply?.ok === true
}
