import { many } from '../../core/base/words.ts'
import { EXIT, type Register } from '../cli.ts'
import { loadPlatform, planFor } from './deciding.ts'
import { manifestFrom, readText } from '../inputs.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { printPlan } from '../print/plan.ts'

/** The demo has a fixed clock: its stock and refusals were recorded shortly before this moment. */
const NOW_MS = Date.parse('2026-11-15T10:05:00Z')

/** What the demo shows, in order. */
const SCENES = [
  { file: 'mistral-7b-slice.yaml', title: 'Fits: a 7B model gets a slice of a card instead of a whole card.' },
  {
    file: 'llama-70b.yaml',
    title: 'Passed on: our own cluster is full, so the next two providers take one replica each.',
  },
  { file: 'too-big.yaml', title: 'Cannot fit: which requirements conflict, what came nearest, and what would help.' },
] as const

/** `berth demo`: three manifests planned on an imaginary platform of two clusters and three clouds. */
export const demo: Register = (program, cli) => {
  program
    .command('demo')
    .description('plan three examples on an imaginary platform: one fits, one is passed on, one cannot fit')
    .addOption(outputOption())
    .addHelpText('after', '\nNeeds no account and changes nothing.\n\nExamples:\n  berth demo\n  berth demo -o json')
    .action((flags: { readonly output: Format }) => {
      const platform = loadPlatform({ config: `${cli.examples}/platform/berth.config.yaml` }, cli)
      const scenes = SCENES.map(({ file, title }) => {
        const startMs = cli.clock.tickMs()
        const plan = planFor(manifestFrom(readText(`${cli.examples}/${file}`, cli.files)), platform, NOW_MS)
        return { file, title, plan, elapsedMs: cli.clock.tickMs() - startMs }
      })
      const text = (): string => {
        const intro = `An imaginary platform with two clusters of its own and three clouds: ${many(platform.snapshot.rows.instance.length, 'offer')}.`
        const parts = scenes.map(({ file, title, plan, elapsedMs }, index) => {
          const screen = {
            again: `berth plan examples/${file} --config examples/platform/berth.config.yaml`,
            elapsedMs,
            nowMs: NOW_MS,
            all: 'one-screen' as const,
          }
          return `── ${index + 1} of ${scenes.length} ── ${title}\n\n$ berth plan examples/${file} --config examples/platform/berth.config.yaml\n${printPlan(plan, screen)}`
        })
        return [
          intro,
          ...parts,
          'For your own workload, write a manifest like examples/llama-70b.yaml, then: berth plan FILE --offers PATH',
        ].join('\n\n')
      }
      answer(cli, flags.output, { data: scenes.map(({ file, plan }) => ({ file, plan })), text })
      cli.exit(EXIT.ok)
    })
}
