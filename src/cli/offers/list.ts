import { Option } from 'commander'
import { listOffers, type OfferOrder } from '../../core/offer/list.ts'
import { describeOffer } from '../../core/place/explain/offer-report.ts'
import type { OffersListed } from '../../ports/berth.ts'
import type { Cli, Register } from '../cli.ts'
import { loadPlatform } from '../plan/deciding.ts'
import { addGpu } from './gpu-option.ts'
import { configOption, limitOption, offersOption } from './offer-options.ts'
import { offerTable } from './offer-table.ts'
import { datedLines, freshLines, isThere, moreLines, SHOWN_MAX, sourcesOf, type ThereFlags } from './there.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject } from '../remote.ts'
import { many } from '../../core/base/words.ts'

interface ListFlags extends ThereFlags {
  readonly limit: number
  readonly sort: OfferOrder
  readonly provider?: string
  /** Ids of models and families. */
  readonly gpu?: readonly string[]
}

/** `berth offers list`: every offer there is. */
export const offersList: Register = (program, cli) => {
  const command = program
    .command('list')
    .description('list offers, cheapest first')
    .addOption(offersOption())
    .addOption(configOption())
    .option('--provider <name>', 'only offers from this provider')
    .addOption(new Option('--gpu <name...>', 'only machines with these accelerators').argParser(addGpu))
    .addOption(limitOption())
    .addOption(new Option('--sort <by>', 'order of the list').choices(['price', 'provider']).default('price'))
  remoteInProject(command)
    .addHelpText(
      'after',
      `
Without --offers or --config, the control plane answers if one is known (berth up, berth login). It lists what its
providers offer now, as far as the project may use it. Rows under quarantine are left out; berth offers check shows them.

Examples:
  berth offers list
  berth offers list --offers catalog/
  berth offers list --offers catalog/ --gpu h100-sxm --limit 50
  berth offers list --config platform/berth.config.yaml --provider northwind --sort provider -o json`,
    )
    .action(async (flags: ListFlags) => {
      const there = isThere(flags, command, cli)
      const listed = there ? await listThere(flags, cli) : listHere(flags, cli)
      const { matching, quarantined, offers, read } = listed
      const sources = there ? [] : sourcesOf(flags, cli)
      const age = [...freshLines(read, cli.clock.nowMs()), ...datedLines(sources, offers)]
      answer(cli, flags.output, {
        data: { matching, quarantined, offers, read, ...(sources.length > 0 && { sources }) },
        text: () => printList(listed, { ...flags, there, providers: listed.providers, age }),
      })
    })
}

/** Offers from local files. */
function listHere(flags: ListFlags, cli: Cli): OffersListed {
  const { snapshot } = loadPlatform(flags, cli)
  const { listings, ...counts } = listOffers(snapshot, { provider: flags.provider, gpus: flags.gpu }, flags)
  return {
    ...counts,
    providers: [...new Set(snapshot.sites.map((site) => site.provider))].sort(),
    offers: listings.map((listing) =>
      describeOffer(listing, { usdPerHour: listing.price.usdPerHour, terms: 'on-demand' }),
    ),
  }
}

/** What the providers of the control plane offer now. */
function listThere(flags: ListFlags, cli: Cli): Promise<OffersListed> {
  const { provider, gpu, sort } = flags
  const limit = Math.min(flags.limit, SHOWN_MAX)
  return berthOf(cli, flags).offers({ project: projectOf(cli, flags), provider, gpus: gpu, sort, limit })
}

/** The flags, whether the control plane answered, and the providers that could be named. */
interface Asked extends ListFlags {
  readonly there: boolean
  readonly providers: readonly string[]
  /** How old all this is, in lines. */
  readonly age: readonly string[]
}

function printList({ offers, matching, quarantined }: OffersListed, flags: Asked): string {
  const kept = quarantined === 0 ? [] : [`${many(quarantined, 'row')} under quarantine left out (berth offers check)`]
  if (offers.length === 0) return [nothing(flags), ...kept, ...flags.age].join('\n')
  const rest = moreLines({ shown: offers.length, all: matching, there: flags.there })
  return [...offerTable(offers), '', ...rest, ...kept, ...flags.age].join('\n').trimEnd()
}

function nothing({ provider, gpu, providers }: Asked): string {
  const what = gpu === undefined ? 'offers' : `offers with ${gpu.join(' or ')}`
  if (provider === undefined) return `There are no ${what}.`
  const others = providers.includes(provider) ? '' : ` Known providers: ${providers.join(', ') || 'none'}.`
  return `There are no ${what} from ${provider}.${others}`
}
