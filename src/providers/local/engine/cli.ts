import { spawn } from 'node:child_process'
import { runProgram, type Ran } from '../command.ts'

/** The command line of a container engine. Arguments are passed unchanged; nothing goes through a shell. */
export class EngineCli {
  readonly program: 'podman' | 'docker'
  #flags: readonly string[]

  constructor(program: 'podman' | 'docker', flags: readonly string[]) {
    this.program = program
    this.#flags = flags
  }

  get flags(): readonly string[] {
    return this.#flags
  }

  useFlags(flags: readonly string[]): void {
    this.#flags = flags
  }

  argv(args: readonly string[]): readonly string[] {
    return [this.program, ...this.#flags, ...args]
  }

  /** `secrets` are put into the environment of the engine, which passes them on by name. */
  async run(args: readonly string[], signal: AbortSignal, secrets?: ReadonlyMap<string, string>): Promise<Ran> {
    const env = { ...process.env, ...(secrets !== undefined && Object.fromEntries(secrets)) }
    const ran = await runProgram(this.argv(args), { signal, env })
    if (ran === undefined) throw new Error(`There is no program ${this.program} on this host.`)
    return ran
  }

  /** The same for commands that must succeed: any failure leaves the state unknown. */
  async ask(args: readonly string[], signal: AbortSignal): Promise<string> {
    const { code, out, err } = await this.run(args, signal)
    if (code === 0) return out
    throw new Error(`${this.program} ${args[0] ?? ''} failed: ${lastLine(err)}`)
  }

  /** Runs on its own, even after Berth ends; resolves when it is over. */
  begin(args: readonly string[]): Promise<void> {
    const [program = '', ...rest] = this.argv(args)
    const child = spawn(program, rest, { detached: true, stdio: 'ignore' })
    child.unref()
    return new Promise((resolve) => {
      child.once('exit', () => resolve())
      child.once('error', () => resolve())
    })
  }
}

/** The last line of an engine's output says what is wrong. */
export function lastLine(text: string): string {
  const line = text.trim().split('\n').at(-1) ?? ''
  return line.slice(0, 400)
}
