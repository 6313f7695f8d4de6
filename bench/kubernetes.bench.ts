import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../testing/engines/build/build.ts'
import { whatIsMissing } from '../testing/engines/needs.ts'
import { ensureNetwork, execInside, takeDown } from '../testing/engines/outside.ts'
import { rigsFolder } from '../testing/engines/rig/place.ts'
import { flag, type Bench } from './bench.ts'

const NAME = 'bench'
const PROGRAM = join(import.meta.dirname, '../testing/kubernetes/scale-run.ts')

/** A large cluster: a real control plane of Kubernetes with fake nodes, and a real one of Berth. */
export const kubernetes: Bench = {
  name: 'kubernetes',
  about: 'a real API server with 1,000 fake nodes: inventory, changes, 5,000 pods with Berth and without (--nodes N)',
  async run(argv) {
    const missing = whatIsMissing(['kube'])
    if (missing !== undefined) throw new Error(missing)
    const nodes = Number(flag(argv, 'nodes', '1000'))
    const pods = Number(flag(argv, 'pods', `${nodes * 5}`))
    const changes = Number(flag(argv, 'changes', '50'))
    await ensureBuilt(['kube'], (line) => console.error(line))
    await ensureNetwork(NAME)
    const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
    const into = join(folder, 'figures.json')
    try {
      const env = { ...process.env, BERTH_RIGS: join(rigsFolder(), NAME) }
      const program = [process.execPath, PROGRAM, JSON.stringify({ nodes, pods, changes, into })]
      const code = await execInside(NAME, program, env)
      if (code !== 0) throw new Error(`the bench ended with ${code}`)
      const figures = JSON.parse(readFileSync(into, 'utf8'))
      return { ...figures, floor: FLOOR }
    } finally {
      await takeDown(NAME)
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** At 1,000 nodes; the rates compare with each other. */
const FLOOR = { inventory_s: 10, change_seen_ms_p99: 2000, rss_mb: 400, retries: 0 }
