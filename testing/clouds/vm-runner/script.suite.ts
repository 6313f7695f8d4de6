import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order } from '../../../src/core/life/call/order.ts'
import { startScript } from '../../../src/providers/cloud/vm/cloud-init.ts'
import { vmPlan } from '../../../src/providers/cloud/vm/plan.ts'
import { noteOf } from '../../../src/providers/cloud/note.ts'

/**
 * Runs the script of a virtual machine for an order, in a folder instead of the root, until its container has ended. What starts
 * the service of the machine is left out: the runner is started as the service would.
 */
export async function runScript(order: Order, folder: string, socket: string): Promise<unknown> {
  const { files } = vmPlan({ order, note: noteOf(order), env: order.env }, { status: 0 })
  const moved = files.map((file) => ({ ...file, path: join(folder, file.path) }))
  const runner = join(folder, '/var/lib/berth/runner.py')
  const script = join(folder, 'start.sh')
  writeFileSync(script, startScript({ files: moved, commands: [['exec', 'python3', runner]] }))
  const env = { PATH: process.env['PATH'], BERTH_WORK: join(folder, '/var/lib/berth/work.json'), BERTH_DOCKER: socket }
  const child = spawn('/bin/bash', [script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (part) => (said += String(part)))
  await once(child, 'close')
  return JSON.parse(said)
}
