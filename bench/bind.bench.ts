import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { flag, PLANE_FLAGS, type Bench, type Figures } from './bench.ts'

const SIZES = [100, 1_000, 5_000]
const STORES = ['memory', 'sqlite']

/** How many workloads a second the real control plane accepts and binds to machines of its own, on either store. */
export const bind: Bench = {
  name: 'bind',
  about: 'workloads accepted and bound a second on owned fleets (--nodes N, --store memory|sqlite, --workloads N)',
  async run(argv) {
    const nodes = flag(argv, 'nodes', '')
    const store = flag(argv, 'store', '')
    const sizes = nodes === '' ? SIZES : [Number(nodes)]
    const stores = store === '' ? STORES : [store]
    const rows: Figures[] = []
    for (const size of sizes) {
      for (const kind of stores) rows.push(await measured(size, kind, flag(argv, 'workloads', '')))
    }
    return { bind: rows }
  },
}

/** Each case has a process of its own, so that its memory is its own and nothing is compiled yet. */
async function measured(nodes: number, store: string, workloads: string): Promise<Figures> {
  const program = join(import.meta.dirname, 'bind', 'case.ts')
  const argv = [...PLANE_FLAGS, program, '--nodes', String(nodes), '--store', store]
  const more = workloads === '' ? [] : ['--workloads', workloads]
  const { stdout } = await promisify(execFile)(process.execPath, [...argv, ...more], { maxBuffer: 1e8 })
  // Proven: the program prints its figures as one JSON object.
  return JSON.parse(stdout) as Figures
}
