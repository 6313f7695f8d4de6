import { comparePlans, type ComparedPlan } from '../../core/place/explain/compare.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { printDifference } from '../print/difference.ts'
import { readPlan } from './saved-plan.ts'

/** `berth diff`: what changed between two saved plans. */
export const diff: Register = (program, cli) => {
  program
    .command('diff')
    .description('compare two saved plans: their inputs, placements and cost')
    .argument('<before>', 'plan saved by berth plan --save')
    .argument('<after>', 'plan to compare it with')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Exits with 0 when the plans are the same and with 1 when they differ.

Examples:
  berth diff monday.json tuesday.json
  berth diff monday.json tuesday.json -o json | jq .chosen`,
    )
    .action((before: string, after: string, flags: { readonly output: Format }) => {
      const difference = comparePlans(read(before, cli), read(after, cli))
      answer(cli, flags.output, { data: difference, text: () => printDifference(difference, [before, after]) })
      cli.exit(difference.same ? EXIT.ok : EXIT.differs)
    })
}

function read(path: string, cli: Cli): ComparedPlan {
  const { manifest, config, report } = readPlan(path, cli)
  return { manifest: manifest.text, config: config?.text, report }
}
