import type { Command } from 'commander'
import type { Berth } from '../ports/berth.ts'
import { UserError } from '../core/base/problem.ts'
import type { Cli, Target } from './cli.ts'
import { findTarget, type TargetFlags } from './platform/connection.ts'
import { outputOption } from './output.ts'
import type { Format } from './format.ts'
import { patient } from './terminal/progress.ts'

/** Flags of every command that talks to a control plane. */
export interface RemoteFlags extends TargetFlags {
  readonly output: Format
}

/** Flags of commands whose objects belong to a project. */
export interface ProjectFlags extends RemoteFlags {
  readonly project?: string
}

/** Adds the flags that choose the control plane and the output format. */
export function remote(command: Command): Command {
  return command
    .option('--url <url>', 'address of the control plane (default: BERTH_URL, or this machine’s)')
    .option('--token-file <file>', 'file with the token (default: BERTH_TOKEN, or this machine’s)')
    .option('--context <context>', 'context to use (default: BERTH_CONTEXT, or the current one)')
    .option('--ca <file>', 'certificates (PEM) to trust (default: BERTH_CA, or the system’s)')
    .addOption(outputOption())
}

/** Adds `--project` as well. */
export function remoteInProject(command: Command): Command {
  return remote(command.option('--project <name>', 'project to work in (default: BERTH_PROJECT, or default)'))
}

/** The control plane that the flags, the environment or the connection file name. */
export function berthOf(cli: Cli, flags: RemoteFlags): Berth {
  const target = findTarget(flags, cli)
  return patient(withWhose(cli.berth(target), target), cli, target.url)
}

type Called = (...args: readonly unknown[]) => unknown

/** The same client. Its errors about a token or an address also name the context that they came from. */
export function withWhose(berth: Berth, { context, url }: Target): Berth {
  if (context === undefined) return berth
  const told = (error: unknown): never => {
    if (!(error instanceof UserError)) throw error
    throw new UserError(
      error.problems.map((problem) => {
        const way = WAYS[problem.code]
        return way === undefined
          ? problem
          : {
              ...problem,
              hint: `${problem.hint ?? ''}\nThe request went to context ${context} (${url}). ${way(url, context)}`,
            }
      }),
    )
  }
  return new Proxy(berth, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (!isCalled(value)) return value
      return (...args: readonly unknown[]) => {
        const answer = value.apply(target, [...args])
        return answer instanceof Promise ? answer.catch(told) : answer
      }
    },
  })
}

function isCalled(value: unknown): value is Called {
  return typeof value === 'function'
}

/** How to go on when the context is at fault. */
const WAYS: Readonly<Record<string, ((url: string, name: string) => string) | undefined>> = {
  CONTROL_PLANE_UNREACHABLE: () => 'For another one: berth context ls, then --context NAME.',
  UNAUTHENTICATED: (url, name) => `Log in with a new token: berth login ${url} --name ${name}`,
  FORBIDDEN: () => 'For another one: berth context ls, then --context NAME.',
}

export function projectOf(cli: Cli, { project }: ProjectFlags): string {
  return project ?? (cli.env('BERTH_PROJECT') || 'default')
}

/** The flag to paste into the next command; empty when the project was not given. */
export function projectFlag({ project }: ProjectFlags): string {
  return project === undefined ? '' : ` --project ${project}`
}
