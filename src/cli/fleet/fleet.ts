import type { Register } from '../cli.ts'
import { fleetShow } from './show.ts'

/** `berth fleet`: the machines that somebody owns. */
export const fleet: Register = (program, cli) => {
  const command = program
    .command('fleet')
    .description('look at machines of your own: what is free, and where')
    .addHelpText('after', '\nExamples:\n  berth fleet show examples/fleets/harbor.yaml')
  fleetShow(command, cli)
}
