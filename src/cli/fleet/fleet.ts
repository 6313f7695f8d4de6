import type { Register } from '../cli.ts'
import { fleetShow } from './show.ts'

/** `berth fleet`: machines that the user owns. */
export const fleet: Register = (program, cli) => {
  const command = program
    .command('fleet')
    .description('inspect your own machines: what is free, and where')
    .addHelpText('after', '\nExamples:\n  berth fleet show examples/fleets/harbor.yaml')
  fleetShow(command, cli)
}
