// The walk through `berth up` that README.md shows: a real control plane, a real service, what was really printed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LINES = ['apply examples/keep/hello.yaml --yes', 'ps', 'logs hello', 'explain hello']

/** Starts a control plane in a folder of its own, goes through the lines, and ends everything again. */
export async function keepPage(root: string): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'berth-readme-'))
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', NO_COLOR: '1' }
  const berth = join(root, 'bin/berth')
  const config = join(root, 'examples/keep/berth.config.yaml')
  const plane = spawn(berth, ['up', '--config', config, '--listen', '127.0.0.1:0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    await once(plane.stdout, 'data')
    const shown = LINES.map((line) => `$ bin/berth ${line}\n${run(berth, line, { root, env })}`)
    return ['```', shown.join('\n\n'), '```'].join('\n')
  } finally {
    run(berth, 'rm hello --yes', { root, env })
    // It is forgotten once its process has ended.
    for (let look = 0; look < 100 && run(berth, 'ps', { root, env }).includes('hello'); look++);
    plane.kill('SIGTERM')
    await once(plane, 'exit')
    rmSync(home, { recursive: true, force: true })
  }
}

function run(berth: string, line: string, { root, env }: { root: string; env: NodeJS.ProcessEnv }): string {
  const { stdout, stderr } = spawnSync(berth, line.split(' '), { cwd: root, env, encoding: 'utf8' })
  return `${stdout}${stderr}`.trimEnd()
}
