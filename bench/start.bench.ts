import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, percentile, round, type Bench } from './bench.ts'

const ROOT = join(import.meta.dirname, '..')
const RUNS = 21

/** How long `berth plan` takes as a command, from the shell to the last line, with a snapshot on disk. */
export const start: Bench = {
  name: 'start',
  about: '`berth plan` as a command, snapshot on disk (--offers PATH)',
  run(argv) {
    const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
    const file = join(folder, 'offers.snapshot')
    const berth = join(ROOT, 'bin/berth')
    try {
      execFileSync(
        berth,
        ['offers', 'import', '--offers', flag(argv, 'offers', '../shared/data/catalog'), '--to', file],
        { stdio: 'ignore' },
      )
      const samples = Array.from({ length: RUNS }, () => {
        const startMs = performance.now()
        execFileSync(berth, ['plan', join(ROOT, 'bench/llama-70b.yaml'), '--offers', file], { stdio: 'ignore' })
        return performance.now() - startMs
      })
      const bare = Array.from({ length: RUNS }, () => {
        const startMs = performance.now()
        execFileSync(process.execPath, ['-e', '0'])
        return performance.now() - startMs
      })
      return Promise.resolve({
        runs: RUNS,
        p50_ms: round(percentile(samples, 0.5)),
        max_ms: round(Math.max(...samples)),
        bare_node_p50_ms: round(percentile(bare, 0.5)),
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
