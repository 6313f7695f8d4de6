import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

/** A program and what it is given. */
export interface Started {
  readonly argv: readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
}

/** A program that others wait for leaves the processors to them. */
const PATIENT = 10

/**
 * Runs a program, and beside it a check that takes what the program leaves of the processors. Nothing is heard of a check that
 * passes; what one that fails has printed comes at once, and a line at the end. Answers the exit code for both.
 */
export async function runBeside(program: Started, check: Started, say: (text: string) => void): Promise<number> {
  const checking = quietly(check).then(({ code, said }) => {
    if (code !== 0) say(`\n${said}\n`)
    return code
  })
  const env = { ...process.env, ...program.env }
  const [command, ...flags] = program.argv
  // The reporter counts the check as a part of the run.
  const running = spawn(command, flags, { stdio: 'inherit', env: { ...env, BERTH_RUN: String(process.pid) } })
  const [ended] = await once(running, 'exit')
  const checked = await checking
  if (checked !== 0) say(`\n${check.argv.join(' ')} failed; what it printed is further up.\n`)
  return typeof ended === 'number' && ended !== 0 ? ended : ended === null ? 1 : checked
}

async function quietly({ argv: [command, ...flags], env }: Started): Promise<{ code: number; said: string }> {
  const child = spawn(command, flags, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  if (child.pid !== undefined) setPriority(child.pid, PATIENT)
  const said = Promise.all([text(child.stdout), text(child.stderr)])
  const [code] = await once(child, 'exit')
  return { code: typeof code === 'number' ? code : 1, said: (await said).join('') }
}
