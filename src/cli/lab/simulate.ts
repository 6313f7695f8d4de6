import type { Register } from '../cli.ts'
import { simulateOpenb } from './openb.ts'
import { simulateTrace } from './trace.ts'

/** `berth simulate`: how a policy would place past or expected work. */
export const simulate: Register = (program, cli) => {
  const command = program
    .command('simulate')
    .description('play a trace on a fleet: how full it gets, what waits, what is refused and why')
    .addHelpText(
      'after',
      `
Examples:
  berth simulate trace examples/traces/racks-days.csv --fleet examples/fleets/racks.yaml
  berth simulate openb --data openb/ --trace default --seeds 42-51`,
    )
  for (const register of [simulateOpenb, simulateTrace]) register(command, cli)
}
