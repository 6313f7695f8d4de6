import { must } from '../../base/assert.ts'
import type { CutSlice } from '../fleet.ts'
import { cutOf, slicesOf } from './cut.ts'
import { giveSlice, takeSlice, type PrecutCard, type Spare } from './precut.ts'
import { allowed, forbidden, PUBLISHED } from './published.suite.ts'
import { randomFrom } from './random.suite.ts'
import { chooseStart, give, migRules, runOf, smallestProfile, take, type MigRules } from './rules.ts'

/** What happened in random sequences of requests and departures on one card. */
export interface Tally {
  sequences: number
  taken: number
  refused: number
  givenBack: number
  /** Cards in a state that the published lists forbid, and requests that were turned away though there was room. */
  wrong: number
  firstWrong: string | undefined
}

/** Sequences numbered from `first`, over all models in turn, every second round on a card that was cut beforehand. */
export function playSequences(first: number, count: number): Tally {
  const tally: Tally = { sequences: 0, taken: 0, refused: 0, givenBack: 0, wrong: 0, firstWrong: undefined }
  const models = [...PUBLISHED.keys()]
  for (let seed = first; seed < first + count; seed++) {
    const model = must(models[seed % models.length], 'a model')
    const card = { model, rules: must(migRules(model), model), random: randomFrom(seed), tally }
    if (Math.floor(seed / models.length) % 2 === 0) playWhole(card)
    else playPrecut(card)
    tally.sequences++
  }
  return tally
}

interface Play {
  readonly model: string
  readonly rules: MigRules
  readonly random: (limit: number) => number
  readonly tally: Tally
}

const STEPS_MAX = 40

function playWhole({ model, rules, random, tally }: Play): void {
  let mask = 0
  const lying: CutSlice[] = []
  for (let step = 1 + random(STEPS_MAX); step > 0; step--) {
    if (lying.length > 0 && random(5) < 2) {
      const [gone] = lying.splice(random(lying.length), 1)
      mask = give(mask, must(gone === undefined ? undefined : slicesOf(rules, gone), 'it lay there'))
      tally.givenBack++
    } else {
      const profile = wanted(rules, random)
      const start = chooseStart(rules, mask, profile)
      if (start < 0) turnedAway(tally, allowed(model, lying, nameOf(rules, profile)))
      else {
        mask = take(mask, runOf(rules, profile, start))
        lying.push(cutOf(rules, profile, start))
        tally.taken++
      }
    }
    check(tally, forbidden(model, lying))
  }
}

function playPrecut({ model, rules, random, tally }: Play): void {
  const { used, spare } = cutBeforehand({ model, rules, random, tally })
  let card: PrecutCard = { used: used.reduce((mask, one) => mask | runOf(rules, one.profile, one.start), 0), spare }
  for (let step = 1 + random(STEPS_MAX); step > 0; step--) {
    if (used.length > 0 && random(5) < 2) {
      const [gone] = used.splice(random(used.length), 1)
      card = giveSlice(rules, card, must(gone, 'somebody leaves'))
      tally.givenBack++
    } else {
      const profile = wanted(rules, random)
      const found = takeSlice(rules, card, profile)
      const beside = allowed(model, cuts(rules, [...used, ...card.spare]), nameOf(rules, profile))
      const exists = card.spare.some((one) => one.profile === profile)
      if (found === undefined) turnedAway(tally, exists || used.length === 0 ? [0] : beside)
      else {
        const should = exists ? 'reuse' : beside.length > 0 ? 'cut' : used.length === 0 ? 'recut' : 'nothing'
        check(tally, found.by === should ? undefined : `${model}: ${found.by} instead of ${should}`)
        card = found.card
        used.push({ profile, start: found.start })
        tally.taken++
      }
    }
    check(tally, forbidden(model, cuts(rules, [...used, ...card.spare])))
  }
}

/** Slices at places that the list allows, some of them in use. */
function cutBeforehand({ model, rules, random }: Play): { used: Spare[]; spare: Spare[] } {
  const used: Spare[] = []
  const spare: Spare[] = []
  for (let tries = random(8); tries > 0; tries--) {
    const profile = random(rules.profiles.length)
    const starts = allowed(model, cuts(rules, [...used, ...spare]), nameOf(rules, profile))
    const start = starts[random(starts.length)]
    if (start === undefined) continue
    const into = random(2) === 0 ? used : spare
    into.push({ profile, start: start / rules.unitsPerSlice })
  }
  return { used, spare }
}

/** Half of the requests name an amount of memory, the others a profile. */
function wanted(rules: MigRules, random: (limit: number) => number): number {
  const profile = random(rules.profiles.length)
  if (random(2) === 0) return profile
  const most = rules.profiles[profile]?.gib ?? 1
  return must(smallestProfile(rules, 1 + random(most)), 'no more than a profile has')
}

function nameOf({ profiles }: MigRules, profile: number): string {
  return must(profiles[profile], 'a profile').name
}

function cuts(rules: MigRules, slices: readonly Spare[]): readonly CutSlice[] {
  return slices.map(({ profile, start }) => cutOf(rules, profile, start))
}

function turnedAway(tally: Tally, room: readonly number[]): void {
  tally.refused++
  check(tally, room.length === 0 ? undefined : `turned away though there was room at ${room.join(', ')}`)
}

function check(tally: Tally, why: string | undefined): void {
  if (why === undefined) return
  tally.wrong++
  tally.firstWrong ??= why
}
