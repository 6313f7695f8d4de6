import { must } from '../../base/assert.ts'
import type { CutSlice } from '../fleet.ts'
import { cutOf, slicesOf } from './cut.ts'
import { allowed, forbidden, PUBLISHED } from './published.suite.ts'
import { randomFrom } from './random.suite.ts'
import { chooseStart, migRules, runOf, smallestProfile, take, type MigRules } from './rules.ts'

/** What happened in random sequences of requests and departures on one card. */
export interface Tally {
  sequences: number
  taken: number
  refused: number
  givenBack: number
  /** Cards in a state that the published lists forbid, and requests that were refused although there was room. */
  wrong: number
  firstWrong: string | undefined
}

/** Sequences numbered from `first`, over all models in turn. */
export function playSequences(first: number, count: number): Tally {
  const tally: Tally = { sequences: 0, taken: 0, refused: 0, givenBack: 0, wrong: 0, firstWrong: undefined }
  const models = [...PUBLISHED.keys()]
  for (let seed = first; seed < first + count; seed++) {
    const model = must(models[seed % models.length], 'a model')
    playWhole({ model, rules: must(migRules(model), model), random: randomFrom(seed), tally })
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
      mask &= ~must(gone === undefined ? undefined : slicesOf(rules, gone), 'it was placed there')
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

function turnedAway(tally: Tally, room: readonly number[]): void {
  tally.refused++
  check(tally, room.length === 0 ? undefined : `refused although there was room at ${room.join(', ')}`)
}

function check(tally: Tally, why: string | undefined): void {
  if (why === undefined) return
  tally.wrong++
  tally.firstWrong ??= why
}
