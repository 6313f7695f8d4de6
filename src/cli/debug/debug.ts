import type { Register } from '../cli.ts'
import { debugReplay } from './replay.ts'

/** `berth debug`: for questions about Berth itself. */
export const debug: Register = (program, cli) => {
  const command = program
    .command('debug')
    .description('look into what a control plane decided, and why')
    .addHelpText('after', '\nExamples:\n  berth up --record leader.jsonl\n  berth debug replay leader.jsonl')
  debugReplay(command, cli)
}
