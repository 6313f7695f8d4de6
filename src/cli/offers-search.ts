import { Option } from 'commander'
import type { Policy } from '../core/config/policy.ts'
import { termsOf } from '../core/need/price.ts'
import { listingAt } from '../core/offer/snapshot.ts'
import { derive } from '../core/plan/derive.ts'
import { describeOffer, type OfferReport } from '../core/plan/offer-report.ts'
import { fittingRows } from '../core/plan/fitting.ts'
import { decide, type AskPlan, type Plan } from '../core/plan/plan.ts'
import { report, type PlanReport } from '../core/plan/report.ts'
import { must } from '../core/assert.ts'
import { EXIT, type Register } from './cli.ts'
import { loadPlatform, policyFor, type OfferFlags } from './deciding.ts'
import { configOption, limitOption, offersOption } from './offer-options.ts'
import { offerTable } from './offer-table.ts'
import { answer, outputOption, type Format } from './output.ts'
import { collision, evidence } from './print-plan.ts'
import { manifestFromFlags, needOptions, type NeedFlags } from './need-flags.ts'
import { many, number } from './words.ts'

interface SearchFlags extends OfferFlags, NeedFlags {
  readonly output: Format
  readonly limit: number
  readonly spot?: Policy['spot']
}

/** `berth offers search`: what would fit a need, without writing a manifest. */
export const offersSearch: Register = (program, cli) => {
  const command = program
    .command('search')
    .description('list everything that meets a need, cheapest first, or say why nothing does')
    .addOption(offersOption())
    .addOption(configOption())
  for (const option of needOptions()) command.addOption(option)
  command
    .addOption(
      new Option('--spot [terms]', 'spot machines: allowed when nothing else is said')
        .choices(['never', 'allowed', 'only'])
        .preset('allowed'),
    )
    .addOption(limitOption())
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The flags mean what the keys of a manifest mean. Ends with 0 when something fits, 2 when nothing does, 3 when a value
is wrong.

Examples:
  berth offers search --offers catalog/ --gpu-count 4 --min-vram 80Gi --interconnect nvlink
  berth offers search --offers catalog/ --min-vram 24Gi --arch ada,ampere --spot
  berth offers search --offers catalog/ --cpu 16 --memory 64Gi -o json`,
    )
    .action((flags: SearchFlags) => {
      const manifest = manifestFromFlags(flags)
      const { config, snapshot } = loadPlatform(flags, cli)
      const policy = policyFor(manifest.policy, config)
      const nowMs = cli.clock.nowMs()
      const plan = decide(snapshot, derive(manifest, { ...policy, spot: flags.spot ?? policy.spot }, nowMs))
      const [ask] = plan.asks
      const found = offersThatFit(must(ask, 'a manifest without roles asks once'), plan, flags.limit)
      const explained = report(plan)
      answer(cli, flags.output, {
        data: reportSearch(found, explained),
        text: () => printSearch(found, explained, nowMs),
      })
      cli.exit(found.length > 0 ? EXIT.ok : EXIT.doesNotFit)
    })
}

function offersThatFit(ask: AskPlan, { snapshot }: Plan, limit: number): readonly OfferReport[] {
  return fittingRows(ask, snapshot, limit).map(({ row, usdPerHour }) => {
    const listing = listingAt(snapshot, row)
    return describeOffer(listing, { usdPerHour, terms: termsOf(listing.price, ask.judgement.need.market) })
  })
}

function reportSearch(
  offers: readonly OfferReport[],
  { asks, policy, refused, relaxations, ...plan }: PlanReport,
): unknown {
  const [ask] = asks
  return {
    fits: offers.length > 0,
    fitting: ask?.fitting,
    looked_at: plan.offers.looked_at,
    policy,
    offers,
    refused,
    relaxations,
    nearest: ask?.nearest,
    conflict: ask?.conflict,
  }
}

function printSearch(offers: readonly OfferReport[], plan: PlanReport, nowMs: number): string {
  const ask = must(plan.asks[0], 'a manifest without roles asks once')
  if (offers.length > 0) {
    const more = ask.fitting - offers.length
    const head = `${number(ask.fitting)} of ${many(plan.offers.looked_at, 'offer')} fit`
    return [
      head,
      '',
      ...offerTable(offers),
      ...(more === 0 ? [] : ['', `and ${number(more)} more (--limit ${ask.fitting})`]),
    ].join('\n')
  }
  const screen = { again: '', elapsedMs: undefined, nowMs, all: 'one-screen' as const }
  return [`Nothing fits. ${collision(ask)}`, '', ...evidence(ask, plan, screen)].join('\n')
}
