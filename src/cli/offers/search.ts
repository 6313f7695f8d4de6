import { Option } from 'commander'
import type { Manifest, SpotUse } from '../../core/manifest/manifest.ts'
import { derive } from '../../core/place/derive.ts'
import { place } from '../../core/place/place.ts'
import { report } from '../../core/place/explain/report.ts'
import { offersThatFit } from '../../core/place/search.ts'
import { must } from '../../core/base/assert.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { loadPlatform, policyFor } from '../plan/deciding.ts'
import { manifestFrom, readText, type Text } from '../inputs.ts'
import { configOption, limitOption, needFileOption, offersOption } from './offer-options.ts'
import { offerTable } from './offer-table.ts'
import { datedLines, freshLines, isThere, moreLines, SHOWN_MAX, sourcesOf, type ThereFlags } from './there.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject } from '../remote.ts'
import type { OffersFound } from '../../ports/berth.ts'
import { collision, evidence } from '../print/plan.ts'
import { manifestFromFlags, needOptions, textFromFlags, type NeedFlags } from '../plan/need-flags.ts'
import { many, number } from '../../core/base/words.ts'

interface SearchFlags extends ThereFlags, NeedFlags {
  readonly limit: number
  readonly spot?: SpotUse
  /** A manifest, instead of flags that say what is needed. */
  readonly need?: string
}

/** `berth offers search`: which offers meet a need, without writing a manifest. */
export const offersSearch: Register = (program, cli) => {
  const command = program
    .command('search')
    .description('list every offer that meets a need, cheapest first, or say why none does')
    .addOption(offersOption())
    .addOption(configOption())
  const needs = needOptions()
  command.addOption(needFileOption().conflicts(needs.map((option) => option.attributeName())))
  for (const option of needs) command.addOption(option)
  command
    .addOption(
      new Option('--spot [terms]', 'whether spot machines may be used; without a value: allowed')
        .choices(['never', 'allowed', 'only'])
        .preset('allowed'),
    )
    .addOption(limitOption())
  remoteInProject(command)
    .addHelpText(
      'after',
      `
Without --offers or --config, the control plane answers if one is known (berth up, berth login). The flags mean the same
as the keys of a manifest. Exits with 0 when something fits, 2 when nothing does and 3 when a value is invalid.

Examples:
  berth offers search --min-vram 24Gi
  berth offers search --need llama-70b.yaml
  berth offers search --offers catalog/ --gpu-count 4 --min-vram 80Gi --interconnect nvlink
  berth offers search --offers catalog/ --min-vram 24Gi --arch ada,ampere --spot
  berth offers search --offers catalog/ --cpu 16 --memory 64Gi -o json`,
    )
    .action(async (flags: SearchFlags) => {
      const there = isThere(flags, command, cli)
      const found = there ? await searchThere(flags, cli) : searchHere(flags, cli)
      const nowMs = cli.clock.nowMs()
      const sources = there ? [] : sourcesOf(flags, cli)
      const age = [...freshLines(found.read, nowMs), ...datedLines(sources, found.offers)]
      answer(cli, flags.output, {
        data: { ...reportSearch(found), read: found.read, ...(sources.length > 0 && { sources }) },
        text: () => [printSearch(found, { nowMs, there }), ...(age.length === 0 ? [] : ['', ...age])].join('\n'),
      })
      cli.exit(found.offers.length > 0 ? EXIT.ok : EXIT.doesNotFit)
    })
}

/** Searches offers from local files. */
function searchHere(flags: SearchFlags, cli: Cli): OffersFound {
  const manifest = needOf(flags, cli).manifest
  const { config, snapshot } = loadPlatform(flags, cli)
  const policy = policyFor(manifest.policy, config)
  const input = derive(manifest, { ...policy, spot: flags.spot ?? policy.spot }, cli.clock.nowMs())
  const plan = must(place({ capacity: snapshot, workloads: [input] })[0], 'one workload')
  return { offers: offersThatFit(plan, flags.limit), plan: report(plan) }
}

/** Searches what the control plane's providers offer now. Flags are checked before the request is sent. */
function searchThere(flags: SearchFlags, cli: Cli): Promise<OffersFound> {
  const { text, file } = needOf(flags, cli)
  const { spot } = flags
  const limit = Math.min(flags.limit, SHOWN_MAX)
  const project = projectOf(cli, flags)
  return berthOf(cli, flags).searchOffers({ project, text, file, spot, limit })
}

/** What is needed: as a manifest says, or as the flags do. */
function needOf(flags: SearchFlags, cli: Cli): Text & { readonly manifest: Manifest } {
  if (flags.need === undefined) return { ...textFromFlags(flags), manifest: manifestFromFlags(flags) }
  const text = readText(flags.need, cli.files)
  return { ...text, manifest: manifestFrom(text) }
}

function reportSearch({ offers, plan }: OffersFound): object {
  const { asks, policy, refused, relaxations } = plan
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

function printSearch({ offers, plan }: OffersFound, { nowMs, there }: { nowMs: number; there: boolean }): string {
  const ask = must(plan.asks[0], 'a manifest without roles asks once')
  if (offers.length > 0) {
    const more = moreLines({ shown: offers.length, all: ask.fitting, there })
    const head = `${number(ask.fitting)} of ${many(plan.offers.looked_at, 'offer')} fit`
    return [head, '', ...offerTable(offers), ...(more.length === 0 ? [] : ['', ...more])].join('\n')
  }
  const screen = { again: '', elapsedMs: undefined, nowMs, all: 'one-screen' as const }
  return [`Nothing fits. ${collision(ask)}`, '', ...evidence(ask, plan, screen)].join('\n')
}
