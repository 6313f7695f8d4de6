import { comparePlans } from '../../core/place/explain/compare.ts'
import { EXIT, type Register } from '../cli.ts'
import { planFor } from './deciding.ts'
import { configFrom, manifestFrom } from '../inputs.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { printDifference } from '../print/difference.ts'
import { openPlan } from './saved-plan.ts'
import { perHour } from '../words/words.ts'
import { many } from '../../core/base/words.ts'

/** `berth replay`: decides again from a saved plan's inputs and compares the results. */
export const replay: Register = (program, cli) => {
  program
    .command('replay')
    .description('decide again from the inputs of a saved plan and check that the result is the same')
    .argument('<plan>', 'plan saved by berth plan --save, with its .offers file next to it')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Only the two files are read, and the clock is set to when the plan was made. A difference means that this version of
Berth decides differently. Exits with 0 when the plan is exactly the same and with 1 when it differs.

Examples:
  berth plan train.yaml --offers catalog/ --save monday.json
  berth replay monday.json`,
    )
    .action((path: string, flags: { readonly output: Format }) => {
      const { saved, snapshot } = openPlan(path, cli)
      const config = saved.config === undefined ? undefined : configFrom(saved.config)
      const hints = saved.hints && { hints: saved.hints }
      const again = planFor(manifestFrom(saved.manifest), { config, snapshot, ...hints }, saved.now_ms)
      const inputs = { manifest: saved.manifest.text, config: saved.config?.text }
      const difference = comparePlans({ ...inputs, report: saved.report }, { ...inputs, report: again })
      const { usd_per_hour: price, workload, offers } = again
      const same = `same plan: ${workload}, ${perHour(price)} in all, from ${many(offers.looked_at, 'offer')}`
      const text = (): string => (difference.same ? same : printDifference(difference, [path, 'replayed']))
      answer(cli, flags.output, { data: difference, text })
      cli.exit(difference.same ? EXIT.ok : EXIT.differs)
    })
}
