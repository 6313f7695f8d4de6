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

/** Flags of those whose objects belong to a project. */
export interface ProjectFlags extends RemoteFlags {
  readonly project?: string
}

/** Adds where the control plane is and how to answer. */
export function remote(command: Command): Command {
  return command
    .option('--url <url>', 'address of the control plane (default: BERTH_URL, or that of `berth up` here)')
    .option('--token-file <file>', 'file that holds the token (default: BERTH_TOKEN, or that of `berth up` here)')
    .option('--context <context>', 'the control plane of this context (default: BERTH_CONTEXT, or berth context use)')
    .option('--ca <file>', 'certificates (PEM) to know the control plane by (default: BERTH_CA, or the system’s)')
    .addOption(outputOption())
}

/** Adds the project as well. */
export function remoteInProject(command: Command): Command {
  return remote(command.option('--project <name>', 'project of the object (default: BERTH_PROJECT, or default)'))
}

/** The control plane that the flags, the environment or the connection file name. */
export function berthOf(cli: Cli, flags: RemoteFlags): Berth {
  const target = findTarget(flags, cli)
  return patient(withWhose(cli.berth(target), target), cli, target.url)
}

type Called = (...args: readonly unknown[]) => unknown

/** The same control plane; where a token or an address is at fault, the context that it came from is said. */
export function withWhose(berth: Berth, { context, url }: Target): Berth {
  if (context === undefined) return berth
  const told = (error: unknown): never => {
    if (!(error instanceof UserError)) throw error
    throw new UserError(
      error.problems.map((problem) => {
        const way = WAYS[problem.code]
        return way === undefined
          ? problem
          : { ...problem, hint: `${problem.hint ?? ''}\nThis asked context ${context} (${url}). ${way(url, context)}` }
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

/** How to go on where the context is at fault. */
const WAYS: Readonly<Record<string, ((url: string, name: string) => string) | undefined>> = {
  CONTROL_PLANE_UNREACHABLE: () => 'Others: berth context ls, --context NAME.',
  UNAUTHENTICATED: (url, name) => `With a new token: berth login ${url} --name ${name}`,
  FORBIDDEN: () => 'Others: berth context ls, --context NAME.',
}

export function projectOf(cli: Cli, { project }: ProjectFlags): string {
  return project ?? (cli.env('BERTH_PROJECT') || 'default')
}

/** As it can be pasted into the next command: nothing where the project goes without saying. */
export function projectFlag({ project }: ProjectFlags): string {
  return project === undefined ? '' : ` --project ${project}`
}
