import { InvalidArgumentError, Option } from 'commander'
import { nearest } from '../core/document/nearest.ts'
import { familyOf } from '../core/hardware/family.ts'
import type { GpuModel } from '../core/hardware/gpu.ts'
import { resolveGpu } from '../core/hardware/resolve.ts'
import { GPUS } from '../core/hardware/table.ts'
import { listOffers, type Listed, type OfferOrder } from '../core/offer/list.ts'
import { describeOffer, type OfferReport } from '../core/plan/offer-report.ts'
import type { Register } from './cli.ts'
import { loadPlatform, type OfferFlags } from './deciding.ts'
import { configOption, limitOption, offersOption } from './offer-options.ts'
import { offerTable } from './offer-table.ts'
import { answer, outputOption, type Format } from './output.ts'
import { many, number } from './words.ts'

interface ListFlags extends OfferFlags {
  readonly output: Format
  readonly limit: number
  readonly sort: OfferOrder
  readonly provider?: string
  /** Ids of models and families. */
  readonly gpu?: readonly string[]
}

/** `berth offers list`: everything on the shelf. */
export const offersList: Register = (program, cli) => {
  program
    .command('list')
    .description('list offers, cheapest first')
    .addOption(offersOption())
    .addOption(configOption())
    .option('--provider <name>', 'only offers of this provider')
    .addOption(new Option('--gpu <name...>', 'only machines with these accelerators').argParser(addGpu))
    .addOption(limitOption())
    .addOption(new Option('--sort <by>', 'what comes first').choices(['price', 'provider']).default('price'))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Rows under quarantine are left out; berth offers check tells about them.

Examples:
  berth offers list --offers catalog/
  berth offers list --offers catalog/ --gpu h100-sxm --limit 50
  berth offers list --config platform/berth.config.yaml --provider northwind --sort provider -o json`,
    )
    .action((flags: ListFlags) => {
      const { snapshot } = loadPlatform(flags, cli)
      const listed = listOffers(snapshot, { provider: flags.provider, gpus: flags.gpu }, flags)
      const offers = listed.listings.map((listing) =>
        describeOffer(listing, { usdPerHour: listing.price.usdPerHour, terms: 'on-demand' }),
      )
      const data = { matching: listed.matching, quarantined: listed.quarantined, offers }
      const providers = [...new Set(snapshot.sites.map((site) => site.provider))].sort()
      answer(cli, flags.output, { data, text: () => printList(offers, listed, { ...flags, providers }) })
    })
}

/** What was asked for, and whom one could have asked for. */
interface Asked extends ListFlags {
  readonly providers: readonly string[]
}

function printList(offers: readonly OfferReport[], listed: Listed, flags: Asked): string {
  const kept =
    listed.quarantined === 0
      ? []
      : [`${many(listed.quarantined, 'row')} under quarantine left out (berth offers check)`]
  if (offers.length === 0) return [nothing(flags), ...kept].join('\n')
  const more = listed.matching - offers.length
  const rest = more === 0 ? [] : [`and ${number(more)} more (--limit ${listed.matching})`]
  return [...offerTable(offers), '', ...rest, ...kept].join('\n').trimEnd()
}

function nothing({ provider, gpu, providers }: Asked): string {
  const what = gpu === undefined ? 'offers' : `offers with ${gpu.join(' or ')}`
  if (provider === undefined) return `There are no ${what} here.`
  const others = providers.includes(provider) ? '' : ` Providers here: ${providers.join(', ') || 'none'}.`
  return `There are no ${what} of ${provider} here.${others}`
}

/** The accelerators a name stands for: one, a family, or all that it may be. */
function addGpu(text: string, before: readonly string[] | undefined): readonly string[] {
  const found = resolveGpu(text)
  switch (found.kind) {
    case 'gpu':
      return [...(before ?? []), found.gpu.id]
    case 'unknown': {
      const meant = nearest(
        text,
        GPUS.map((gpu) => gpu.id),
      )
      throw new InvalidArgumentError(
        `No accelerator has this name.${meant === undefined ? '' : ` Did you mean ${meant}?`}`,
      )
    }
    case 'ambiguous': {
      // Whoever asks for H100 wants to see what there is of it: every family that goes by the name.
      const family = familyOf(found.candidates)
      const families = family === undefined ? found.candidates.map((gpu: GpuModel) => gpu.family) : [family]
      return [...(before ?? []), ...new Set(families)]
    }
  }
}
