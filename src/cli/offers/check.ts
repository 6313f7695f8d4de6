import { loadRows } from '../../catalogues/load-offers.ts'
import { summarise } from '../../core/offer/audit/summary.ts'
import { machineOf } from '../../core/offer/machine.ts'
import type { RowVerdict } from '../../core/offer/offer.ts'
import { isSnapshot } from '../../formats/snapshot-file.ts'
import { Option } from 'commander'
import type { Cli, Register } from '../cli.ts'
import { findOffers, type OfferFlags } from '../plan/deciding.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'
import { watchedFiles } from '../terminal/progress.ts'
import { announce, configOption, offersOption } from './offer-options.ts'
import { printCheck, printRow } from '../print/check.ts'
import { printNodes } from '../print/nodes.ts'
import { readNodes } from './check-nodes.ts'

interface CheckFlags extends OfferFlags {
  readonly output: Format
  readonly rows?: boolean
  readonly nodes?: string
}

/** `berth offers check`: which rows are consistent, which were repaired, and which are quarantined and why. */
export const offersCheck: Register = (program, cli) => {
  program
    .command('check')
    .description('compare every row with the hardware table: what is consistent, repaired or quarantined, and why')
    .addOption(offersOption())
    .addOption(configOption())
    .option('--rows', 'list every row with its verdict')
    .addOption(
      new Option(
        '--nodes <file>',
        'read the nodes of a Kubernetes cluster instead, from what kubectl wrote (`-`: standard input)',
      ).conflicts(['offers', 'config', 'rows']),
    )
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Rows under quarantine take part in no decision; every plan counts them as QUARANTINED.
With --nodes, it says what each node of a cluster is taken for, and why: cards, memory, sharing, and whether it is usable.
What is free is known only if the file has the pods of all namespaces (-A). Nothing is sent anywhere.
Exits with 0 whatever the rows or nodes contain, and with 3 when a path cannot be read.

Examples:
  berth offers check --offers catalog/
  berth offers check --offers catalog/ --rows | grep quarantined
  berth offers check --offers inventory.yaml --rows -o json | jq '.verdicts[] | select(.quarantine)'
  kubectl get nodes,pods,resourceslices -A -o json | berth offers check --nodes -`,
    )
    .action((flags: CheckFlags) => {
      if (flags.nodes !== undefined) {
        const nodes = readNodes(flags.nodes, cli)
        answer(cli, flags.output, { data: nodes.rows, text: () => printNodes(nodes) })
        return
      }
      const { paths, owners } = findOffers(flags, cli)
      announce(cli, `reading ${paths.join(' ')}`)
      const { files, done } = watchedFiles(cli)
      const rows = loadRows(paths, { files, sources: cli.sources, config: undefined, owners })
      done()
      const check = { summary: summarise(rows), snapshots: snapshotsAmong(paths, cli), rows }
      if (flags.rows === true) {
        const data = { ...check.summary, snapshots: check.snapshots, verdicts: rows.map(reportRow) }
        answer(cli, flags.output, {
          data,
          text: () => (rows.length === 0 ? printCheck(check, paths) : rows.map(printRow).join('\n')),
        })
        return
      }
      const data = { ...check.summary, snapshots: check.snapshots }
      answer(cli, flags.output, { data, text: () => printCheck(check, paths) })
    })
}

function snapshotsAmong(paths: readonly string[], cli: Cli): readonly string[] {
  return paths.filter((path) => isSnapshot(cli.files.read(path) ?? new Uint8Array()))
}

function reportRow(row: RowVerdict): unknown {
  const { source, line, accelerator, named, verdict, repairs, quarantine, note, offer } = row
  const gpu = machineOf(offer).gpu
  return {
    source,
    line,
    accelerator,
    named,
    verdict,
    repairs,
    quarantine,
    note,
    offer: {
      provider: offer.provider,
      region: offer.region,
      zone: offer.zone,
      instance: offer.instance,
      gpu: offer.gpu?.model,
      gpu_count: offer.gpu?.count ?? 0,
      vram_gib: gpu?.vramGib,
      usd_per_hour: offer.usdPerHour,
      spot_usd_per_hour: offer.spotUsdPerHour,
    },
  }
}
