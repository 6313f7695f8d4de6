import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { flag, percentile, round, type Bench } from './bench.ts'

const ROOT = join(import.meta.dirname, '..')

/** What `npm run build` has made, with and without the startup snapshot: what Node is given before the command's own words. */
const WAYS = [
  { name: 'snapshot', node: ['--snapshot-blob', join(ROOT, 'dist/berth.blob'), '--'] },
  { name: 'bundle', node: [join(ROOT, 'dist/berth.mjs')] },
] as const

/** How long `berth plan` takes as a command, from the shell to the last line, with a snapshot of offers on disk. */
export const start: Bench = {
  name: 'start',
  about: '`berth plan` as a command, with and without its startup snapshot (--offers PATH, --runs N)',
  async run(argv) {
    const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
    const runs = Number(flag(argv, 'runs', '21'))
    const offers = join(folder, 'offers.snapshot')
    const berth = join(ROOT, 'bin/berth')
    try {
      const from = flag(argv, 'offers', '../shared/data/catalog')
      execFileSync(berth, ['offers', 'import', '--offers', from, '--to', offers], { stdio: 'ignore' })
      const plan = ['plan', join(ROOT, flag(argv, 'manifest', 'bench/llama-70b.yaml')), '--offers', offers]
      const commands = [
        { name: 'berth', command: [berth, ...plan] },
        ...WAYS.map(({ name, node }) => ({ name, command: [process.execPath, ...node, ...plan] })),
        { name: 'bare node', command: [process.execPath, '-e', '0'] },
      ]
      const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, 'cache'), BERTH_ROOT: ROOT }
      const samples = inTurn(commands, { runs, env })
      return Object.fromEntries(commands.map(({ name }) => [name, figures(samples.get(name) ?? [])]))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

interface Sample {
  readonly wallMs: number
  readonly cpuMs: number
}

/** One after the other, round after round: what else the machine does meets all of them alike. */
function inTurn(
  commands: readonly { readonly name: string; readonly command: readonly string[] }[],
  { runs, env }: { readonly runs: number; readonly env: NodeJS.ProcessEnv },
): ReadonlyMap<string, Sample[]> {
  const samples = new Map(commands.map(({ name }) => [name, new Array<Sample>()]))
  // Twice for nothing: compiled code is kept from the first, and the files are in memory.
  for (let round = -2; round < runs; round++) {
    for (const { name, command } of commands) {
      const sample = timed(command, env)
      if (round >= 0) samples.get(name)?.push(sample)
    }
  }
  return samples
}

function timed(command: readonly string[], env: NodeJS.ProcessEnv): Sample {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" > /dev/null'
  const { stderr, status } = spawnSync('bash', ['-c', script, 'bash', ...command], { encoding: 'utf8', env })
  const [wall = 0, user = 0, system = 0] = stderr.trim().split('\n').at(-1)?.split(' ').map(Number) ?? []
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`)
  return { wallMs: wall * 1000, cpuMs: (user + system) * 1000 }
}

function figures(samples: readonly Sample[]) {
  const wall = samples.map(({ wallMs }) => wallMs)
  const cpu = samples.map(({ cpuMs }) => cpuMs)
  return {
    runs: samples.length,
    p50_ms: round(percentile(wall, 0.5)),
    min_ms: round(Math.min(...wall)),
    max_ms: round(Math.max(...wall)),
    cpu_p50_ms: round(percentile(cpu, 0.5)),
  }
}
