import type { Command } from 'commander'
import type { Berth } from '../ports/berth.ts'
import type { Cli } from './cli.ts'
import { findTarget, type TargetFlags } from './connection.ts'
import { outputOption, type Format } from './output.ts'
import { patient } from './progress.ts'

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
    .addOption(outputOption())
}

/** Adds the project as well. */
export function remoteInProject(command: Command): Command {
  return remote(command.option('--project <name>', 'project of the object (default: BERTH_PROJECT, or default)'))
}

/** The control plane that the flags, the environment or the connection file name. */
export function berthOf(cli: Cli, flags: RemoteFlags): Berth {
  const target = findTarget(flags, cli)
  return patient(cli.berth(target), cli, target.url)
}

export function projectOf(cli: Cli, { project }: ProjectFlags): string {
  return project ?? (cli.env('BERTH_PROJECT') || 'default')
}

/** As it can be pasted into the next command: nothing where the project goes without saying. */
export function projectFlag({ project }: ProjectFlags): string {
  return project === undefined ? '' : ` --project ${project}`
}
