import { loadOffers } from '../../catalogues/load-offers.ts'
import { rowCount } from '../../core/offer/snapshot.ts'
import { UserError } from '../../core/base/problem.ts'
import { encodeSnapshot, isSnapshot } from '../../formats/snapshot-file.ts'
import type { Register } from '../cli.ts'
import { findOffers, type OfferFlags } from '../plan/deciding.ts'
import { announce, configOption, offersOption } from './offer-options.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { watchedFiles } from '../terminal/progress.ts'
import { refuseToReplace } from '../plan/saved-plan.ts'
import { many, number } from '../../core/base/words.ts'

interface ImportFlags extends OfferFlags {
  readonly to: string
  readonly output: Format
}

/** `berth offers import`: compiles sources into one file that opens in milliseconds. */
export const offersImport: Register = (program, cli) => {
  program
    .command('import')
    .description('read offers once and save them as a snapshot file that opens in milliseconds')
    .addOption(offersOption())
    .addOption(configOption())
    .requiredOption('--to <file>', 'snapshot file to write; an older snapshot is replaced')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The snapshot holds what the sources say. Labels and prices from the infrastructure file are applied when a plan is made,
so the same snapshot serves every configuration.

Examples:
  berth offers import --offers catalog/ --to offers.snapshot
  berth offers import --config platform/berth.config.yaml --to offers.snapshot
  berth plan llama-70b.yaml --offers offers.snapshot`,
    )
    .action((flags: ImportFlags) => {
      const startMs = cli.clock.tickMs()
      const { paths, owners } = findOffers(flags, cli)
      announce(cli, `reading ${paths.join(' ')}`)
      const { files, done } = watchedFiles(cli)
      const snapshot = loadOffers(paths, { files, sources: cli.sources, config: undefined, owners })
      done()
      const bytes = encodeSnapshot(snapshot)
      refuseToReplace(flags.to, isSnapshot, cli)
      if (!cli.files.write(flags.to, bytes)) throw notWritten(flags.to)
      const data = {
        to: flags.to,
        offers: rowCount(snapshot),
        classes: snapshot.machines.length,
        bytes: bytes.length,
        version: snapshot.version,
        elapsed_ms: Math.round(cli.clock.tickMs() - startMs),
      }
      answer(cli, flags.output, { data, text: () => printImport(data) })
    })
}

interface Imported {
  readonly to: string
  readonly offers: number
  readonly classes: number
  readonly bytes: number
  readonly elapsed_ms: number
}

function printImport({ to, offers, classes, bytes, elapsed_ms: elapsedMs }: Imported): string {
  const size = `${number(Math.ceil(bytes / 1024))} KiB`
  return [
    `${to}: ${many(offers, 'offer')} in ${many(classes, 'class', 'classes')} of hardware, ${size}, written in ${number(elapsedMs)} ms`,
    '',
    `Next:  berth plan MANIFEST --offers ${to}`,
  ].join('\n')
}

function notWritten(path: string): UserError {
  const hint = 'Check that the folder exists and is writable.'
  const message = `The snapshot could not be written to ${path}.`
  return new UserError([{ code: 'FILE_NOT_WRITTEN', message, found: path, hint }])
}
