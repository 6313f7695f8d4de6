import type { AskReport, ChosenReport, PlanReport, ReasonReport } from '../../core/place/explain/report.ts'
import type { ExactReport } from '../../lab/exact-plan.ts'
import { exactLine } from './exact.ts'
import { LEVELS, ownHardware, ownLines, reserveLines } from './own.ts'
import { waitLines } from './wait.ts'
import { age, changeWords, hardware, perHour, startTime, where } from '../words/words.ts'
import { many, number } from '../../core/base/words.ts'
import { ABILITIES } from '../../core/requirement/filter/abilities.ts'
import { table } from '../terminal/table.ts'

/** What the screen needs to know besides the plan. */
export interface PlanScreen {
  /** The command that made this plan, ready to paste; undefined: no next step is suggested. */
  readonly again: string | undefined
  /** The command that would apply it; left out: there is no control plane to apply it. */
  readonly apply?: string
  readonly elapsedMs: number | undefined
  readonly nowMs: number
  readonly all: 'all' | 'one-screen'
  /** The result of `--optimal`; left out: it was not requested. */
  readonly exact?: ExactReport
}

const REASONS_SHOWN = 7
const RELAXATIONS_SHOWN = 5

/** The plan as text: the answer first, the evidence below, the next step last. */
export function printPlan(plan: PlanReport, screen: PlanScreen): string {
  const parts = [
    headline(plan),
    chosenTable(plan),
    ownLines(plan, (chosen) => label(chosen, plan), screen.all === 'all'),
    screen.exact === undefined ? [] : [exactLine(screen.exact)],
    reserveLines(plan.asks),
    stopLines(plan),
    passedOnLines(plan),
    unknownLine(plan),
    imageLines(plan),
    paperLines(plan),
    ...plan.asks.map(waitLines),
    ...plan.asks.map((ask) => evidence(ask, plan, screen)),
    nextSteps(plan, screen),
  ]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')
}

function headline(plan: PlanReport): readonly string[] {
  const wanted = plan.asks.reduce((sum, ask) => sum + ask.replicas, 0)
  const placed = plan.asks.reduce((sum, ask) => sum + ask.placed, 0)
  const cost = `${perHour(plan.usd_per_hour)} in all${keptText(plan)}`
  if (plan.fits)
    return [
      `${plan.workload}: ${placed} of ${many(wanted, 'replica')}${machinesText(plan)} ${wanted === 1 ? 'has' : 'have'} a place, ${cost}`,
    ]
  const first =
    placed === wanted
      ? `${plan.workload}: ${many(wanted, 'replica')} would have a place, ${cost}, but not as asked.`
      : placed === 0
        ? `${plan.workload}: no place.`
        : `${plan.workload}: only ${placed} of ${many(wanted, 'replica')} would have a place, ${cost}.`
  const short = plan.asks.flatMap((ask) => (ask.shortage === undefined ? [] : [shortage(ask)]))
  const held = plan.held === undefined ? [] : [`${plan.held.code}: ${plan.held.text}.`]
  return [[first, ...short, ...held].join(' ')]
}

/** Replicas that stay where they are cost what they cost already. */
function keptText({ kept }: PlanReport): string {
  if (kept === undefined) return ''
  const { replicas, usd_per_hour: price } = kept
  return `, beside ${many(replicas, 'replica')} that ${replicas === 1 ? 'stays' : 'stay'} (${perHour(price)})`
}

/** A replica of several machines is up when all of them are, so the machines are counted too. */
function machinesText({ asks }: PlanReport): string {
  if (asks.every(({ nodes }) => nodes === 1)) return ''
  return ` (${many(
    asks.reduce((sum, { replicas, nodes }) => sum + replicas * nodes, 0),
    'machine',
  )})`
}

function shortage(ask: AskReport): string {
  const who = ask.role === undefined ? '' : `Role ${ask.role}: `
  switch (ask.shortage) {
    case undefined:
      return ''
    case 'not-enough-left':
      if (ask.nodes > 1 && ask.waits !== undefined) return `${who}${tooFewTogether(ask)}`
      return `${who}${many(ask.fitting, 'offer')} fit, but they have too little capacity left.`
    case 'one-domain-only':
      return `${who}${who === '' ? 'Everything' : 'everything'} that fits is in one failure domain, so the replicas cannot be spread.`
    case 'nothing-fits':
      return `${who}${collision(ask)}`
  }
}

function tooFewTogether({ nodes, fitting, within }: AskReport): string {
  const where = within === undefined ? '' : ` within one ${LEVELS[within] ?? within}`
  return `${many(fitting, 'offer')} ${fitting === 1 ? 'fits' : 'fit'}, but ${nodes} nodes are needed together${where}.`
}

export function collision(ask: AskReport): string {
  const parts = (ask.conflict ?? []).map((part) => {
    const { wanted = '', because } = ask.refused.find((reason) => reason.requirement === part.requirement) ?? {}
    // What a provider cannot do has no key and no value: the words say it alone.
    const isAbility = ABILITIES.has(part.requirement)
    const text = isAbility ? wanted : `${part.requirement} ${wanted}`.trim()
    return { text, offers: part.offers, ...(isAbility && { because }) }
  })
  const [only] = parts
  if (only === undefined) return 'There are no offers at all.'
  if (parts.length === 1 && only.because !== undefined) return `No offer fits: ${only.because}.`
  if (parts.length === 1) return only.text === 'gpu a GPU' ? 'No offer has a GPU.' : `No offer meets ${only.text}.`
  const met = parts.map(
    (part, index) => `${part.text} ${index === 0 ? 'is met by' : 'by'} ${many(part.offers, 'offer')}`,
  )
  return `${met.slice(0, -1).join(', ')} and ${met.at(-1)}, but never together.`
}

function chosenTable(plan: PlanReport): readonly string[] {
  if (plan.chosen.length === 0) return []
  const roles = plan.chosen.some((chosen) => chosen.role !== undefined)
  const columns = [
    { head: roles ? 'ROLE' : 'REPLICA' },
    { head: 'WHERE' },
    { head: 'MACHINE' },
    { head: 'HARDWARE' },
    { head: 'DRIVER' },
    { head: 'START' },
    { head: '$/h', align: 'right' as const },
    { head: 'WHY' },
  ]
  const rows = plan.chosen.map((chosen, index) => {
    const { offer } = chosen
    const isAgain = plan.chosen.slice(0, index).some((one) => one.role === chosen.role && one.offer.id === offer.id)
    const price = offer.usd_per_hour === undefined ? '?' : perHour(offer.usd_per_hour).slice(1, -2)
    const terms = offer.terms === 'spot' ? ' (spot)' : ''
    return [
      label(chosen, plan),
      where(offer),
      offer.instance,
      chosen.own === undefined ? hardware(offer) : ownHardware(chosen.own, offer),
      offer.driver ?? '?',
      startTime(offer.start_seconds),
      `${price}${terms}`,
      isAgain ? whyAgain(chosen, plan) : why(chosen, plan),
    ]
  })
  return table(columns, rows)
}

function label({ role, replica, node }: ChosenReport, plan: PlanReport): string {
  const ask = plan.asks.find((candidate) => candidate.role === role)
  const name = role === undefined ? `${replica}` : `${role} ${replica}`
  return ask !== undefined && ask.nodes > 1 ? `${name} node ${node}` : name
}

/** `the only one that fits` is said once, not for every replica. */
function whyAgain(chosen: ChosenReport, plan: PlanReport): string {
  const first = why(chosen, plan)
  if (first !== ONLY_ONE) return first
  return chosen.offer.capacity === 'owned' ? 'the same host' : 'another of the same'
}

const ONLY_ONE = 'the only one that fits'

function why(chosen: ChosenReport, plan: PlanReport): string {
  const ask = plan.asks.find((candidate) => candidate.role === chosen.role)
  const fitting = ask?.fitting ?? 0
  const above = chosen.usd_above_first > 0 ? `, +${perHour(chosen.usd_above_first).slice(0, -2)}` : ''
  switch (chosen.because) {
    case 'spread':
      return `next domain (spread)${above}`
    case 'full':
      return `better ones are full${above}`
    case 'best':
      if (fitting === 1) return ONLY_ONE
      if (plan.policy.fallback) return `first in the fallback order, of ${number(fitting)} that fit`
      return plan.policy.objective === 'cheapest'
        ? `cheapest of ${number(fitting)} that fit`
        : `best of ${number(fitting)} that fit (${plan.policy.objective})`
  }
}

/** A replica that stops first takes the service down if what follows it does not come up: that is said beforehand. */
function stopLines({ stops_first: stops }: PlanReport): readonly string[] {
  if (stops === undefined) return []
  const { slots, why } = stops
  const [first = ''] = slots
  if (slots.length === 1) return [`Stops ${first} before its successor starts: ${why}.`]
  const which = slots.length > SLOTS_SHOWN ? `${slots.length} replicas` : slots.join(', ')
  return [`Stops ${which} one at a time, each before its successor starts: ${why}.`]
}

const SLOTS_SHOWN = 5

function passedOnLines(plan: PlanReport): readonly string[] {
  return plan.asks.flatMap(({ role, passed_on: passed }) => {
    if (passed.length === 0) return []
    const who = role === undefined ? '' : ` for ${role}`
    return [`Passed on${who}: ${passed.map(({ provider, because }) => `${provider} (${because})`).join(', ')}`]
  })
}

function unknownLine(plan: PlanReport): readonly string[] {
  const names = [...new Set(plan.chosen.flatMap((chosen) => chosen.unknown))].filter((name) => !QUIET.has(name)).sort()
  if (names.length === 0) return []
  return [`Not known from the provider, checked when the machine is up: ${names.join(', ')}`]
}

/** Warns about an unused image: what runs is the program that the host has under that name. */
function imageLines({ chosen }: PlanReport): readonly string[] {
  const unused = Map.groupBy(chosen, ({ image_unused: image, offer }) =>
    image === undefined ? '' : `${offer.provider}\n${image}`,
  )
  return [...unused.keys()].flatMap((key) => {
    const [provider, image] = key.split('\n')
    return image === undefined
      ? []
      : [`On ${provider} it runs as a process on the host: the image ${image} is not used.`]
  })
}

/** Offers from price lists cannot be launched, so they are mentioned apart from the choices. */
function paperLines({ on_paper: paper }: PlanReport): readonly string[] {
  if (paper === undefined) return []
  const { providers, offers, fitting, usd_per_hour: price } = paper
  const fit = fitting === 0 ? 'none of them would fit' : `${number(fitting)} of them would fit, from ${perHour(price)}`
  const few =
    providers.length > PAPER_SHOWN ? `${providers.slice(0, PAPER_SHOWN).join(', ')} and others` : providers.join(', ')
  return [`Price lists only, cannot be launched (no \`kind\`): ${many(offers, 'offer')} from ${few}; ${fit}.`]
}

const PAPER_SHOWN = 5

/** Facts that no price list has. Repeating them in every plan would teach users to skip the line. */
const QUIET = new Set(['health', 'stock', 'quota'])

export function evidence(ask: AskReport, plan: PlanReport, screen: PlanScreen): readonly string[] {
  return [
    ...refusedTable(ask, plan, screen),
    ...passedTable(ask, screen),
    ...nearestTable(ask, screen),
    ...relaxationTable(ask, screen),
  ]
}

function refusedTable(ask: AskReport, plan: PlanReport, screen: PlanScreen): readonly string[] {
  const took = screen.elapsedMs === undefined ? '' : ` in ${Math.max(1, Math.round(screen.elapsedMs))} ms`
  const refused = plan.offers.looked_at - ask.fitting
  const who = ask.role === undefined ? '' : `${ask.role}: `
  const head = `${who}${many(plan.offers.looked_at, 'offer')} looked at${took}; ${number(refused)} turned down${refused === 0 ? '' : ':'}`
  const counted = ask.refused.filter((reason) => reason.offers > 0)
  if (counted.length === 0) return [head]
  const shown = screen.all === 'all' ? counted : counted.slice(0, REASONS_SHOWN)
  const rows = shown.map((reason) => [
    number(reason.offers),
    reason.because,
    perHour(reason.cheapest_usd_per_hour).replace('?', ''),
    waiting(reason, screen),
  ])
  const rest = counted.length - shown.length
  const columns = [
    { head: 'OFFERS', align: 'right' as const },
    { head: 'BECAUSE' },
    { head: 'CHEAPEST', align: 'right' as const },
    { head: 'WAITING HELPS' },
  ]
  return [head, '', ...table(columns, rows), ...(rest === 0 ? [] : [`  and ${many(rest, 'more reason')} (--all)`])]
}

function waiting(reason: ReasonReport, { nowMs }: PlanScreen): string {
  if (reason.waiting !== 'helps') return reason.waiting === 'policy' ? 'no, the policy decides' : ''
  return reason.seen_at_ms === undefined ? 'yes' : `yes, seen ${age(reason.seen_at_ms, nowMs)}`
}

function passedTable(ask: AskReport, screen: PlanScreen): readonly string[] {
  if (screen.all !== 'all' || ask.passed_over.length === 0) return []
  const columns = [
    { head: 'WHERE' },
    { head: 'MACHINE' },
    { head: 'HARDWARE' },
    { head: '$/h', align: 'right' as const },
    { head: 'SCORE', align: 'right' as const },
    { head: 'WOULD WIN AT' },
  ]
  const rows = ask.passed_over.map(({ offer, score, would_win_at_usd: price }) => [
    where(offer),
    offer.instance,
    hardware(offer),
    perHour(offer.usd_per_hour).slice(1, -2),
    score.toFixed(3),
    price === undefined ? 'no price' : perHour(price),
  ])
  return ['', 'Passed over, best first:', '', ...table(columns, rows)]
}

function nearestTable(ask: AskReport, screen: PlanScreen): readonly string[] {
  if ((ask.fitting > 0 && screen.all !== 'all') || ask.nearest.length === 0) return []
  const columns = [
    { head: 'WHERE' },
    { head: 'MACHINE' },
    { head: 'HARDWARE' },
    { head: '$/h', align: 'right' as const },
    { head: 'BUT' },
  ]
  const rows = ask.nearest.map(({ offer, code, wanted, found }) => [
    where(offer),
    offer.instance,
    hardware(offer),
    perHour(offer.usd_per_hour)
      .replace(/^\$|\/h$/g, '')
      .replace('/h', ''),
    `${code}: wanted ${wanted}, ${found === undefined ? 'unknown' : `found ${found}`}`,
  ])
  return ['', 'Nearest misses, each for a single reason:', '', ...table(columns, rows)]
}

function relaxationTable(ask: AskReport, screen: PlanScreen): readonly string[] {
  if (ask.relaxations.length === 0) return ask.fitting > 0 ? [] : ['', 'No single change would admit an offer.']
  const shown = screen.all === 'all' ? ask.relaxations : ask.relaxations.slice(0, RELAXATIONS_SHOWN)
  const rows = shown.map(({ key, from, to, offers, usd_per_hour: price }) => [
    ...changeWords(shortKey(key), from, to),
    `${number(offers)} ${/(^|\.)spot$/.test(key) ? 'more or cheaper' : 'more'}, from ${perHour(price)}`,
  ])
  const notes = shown.flatMap(({ note }) => (note === undefined ? [] : [`  ${note}`]))
  return ['', 'What would admit more:', ...table([{ head: '' }, { head: '' }, { head: '' }], rows).slice(1), ...notes]
}

/** Keys of the workload's own `resources` are clear without the prefix; those of a role are not. */
function shortKey(key: string): string {
  return key.replace(/^resources\.(gpu\.)?/, '')
}

function nextSteps(plan: PlanReport, { again, apply, all }: PlanScreen): readonly string[] {
  if (again === undefined) return []
  const steps = [
    ...(apply === undefined || !plan.fits ? [] : [apply]),
    all === 'all' ? `${again} -o json` : `${again} --all`,
  ]
  const code = codeToExplain(plan)
  if (code !== undefined) steps.push(`berth explain ${code}`)
  return [`Next:  ${steps.join('      ')}`]
}

/** What the headline names: a limit, or a requirement that nothing meets. If everything fits, the commonest refusal. */
function codeToExplain({ asks, held }: PlanReport): string | undefined {
  const blamed = asks.flatMap(({ shortage: short, conflict, refused }) =>
    short !== 'nothing-fits'
      ? []
      : (conflict ?? []).flatMap(
          ({ requirement }) => refused.find((reason) => reason.requirement === requirement) ?? [],
        ),
  )
  const common = asks.flatMap(({ refused }) => refused.filter(({ offers, code }) => offers > 0 && code !== 'NO_GPU'))
  return blamed[0]?.code ?? held?.code ?? common[0]?.code
}
