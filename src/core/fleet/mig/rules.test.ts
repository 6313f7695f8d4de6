import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { CutSlice } from '../fleet.ts'
import { cutOf } from './cut.ts'
import { allowed, PUBLISHED } from './published.suite.ts'
import {
  chooseStart,
  lossOf,
  migRules,
  positionOf,
  profileName,
  runOf,
  smallestProfile,
  startsFor,
  stillPossible,
  take,
  valueOf,
  type MigRules,
} from './rules.ts'

const rulesOf = (model: string) => must(migRules(model), model)
const H100 = rulesOf('h100-sxm')
const named = (rules: MigRules, name: string) => rules.profiles.findIndex((profile) => profile.name === name)

describe('min_vram: 10Gi with sharing: mig lands on', () => {
  test.each([
    ['a100-40-sxm', '1g.10gb'],
    ['a100-80-sxm', '1g.10gb'],
    ['h100-sxm', '1g.10gb'],
    ['h200-sxm', '1g.18gb'],
    ['b200-sxm', '1g.23gb'],
    ['rtx-pro-6000-server', '1g.24gb'],
    ['a30', '2g.12gb'],
  ])('the smallest profile of %s that fits: %s', (model, name) => {
    const rules = rulesOf(model)
    expect(profileName(rules, must(smallestProfile(rules, 10), 'one fits'))).toBe(name)
  })
})

describe('the smallest profile', () => {
  test.each([
    [5, '1g.5gb'],
    [5.5, '1g.10gb'],
    [11, '3g.20gb'],
    [20, '3g.20gb'],
    [21, '7g.40gb'],
    [40, '7g.40gb'],
  ])('for %f GiB on an A100 with 40 GB is %s', (gib, name) => {
    const rules = rulesOf('a100-40-sxm')
    expect(profileName(rules, must(smallestProfile(rules, gib), 'one fits'))).toBe(name)
  })

  test('does not exist for more than the card has', () => {
    expect(smallestProfile(H100, 81)).toBeUndefined()
  })

  test('is never one with another that is smaller and large enough', () => {
    for (const model of PUBLISHED.keys()) {
      const rules = rulesOf(model)
      for (const asked of rules.profiles) {
        const found = must(rules.profiles[must(smallestProfile(rules, asked.gib), 'itself')], 'a profile')
        const enough = rules.profiles.filter(({ gib }) => gib >= asked.gib)
        expect(found.size).toBe(Math.min(...enough.map(({ size }) => size)))
        expect(found.compute).toBe(
          Math.min(...enough.filter(({ size }) => size === found.size).map(({ compute }) => compute)),
        )
      }
    }
  })
})

describe('rules exist', () => {
  test('for a family', () => {
    expect(migRules('h100-80')?.profiles).toEqual(H100.profiles)
  })

  test('and are built once', () => {
    expect(migRules('h100-sxm')).toBe(H100)
  })

  test.each(['l4', 'mi300x', 'constructor', ''])('but not for "%s"', (model) => {
    expect(migRules(model)).toBeUndefined()
  })
})

describe('a position is chosen for what it leaves', () => {
  test.each([
    ['3g.40gb on an idle card keeps the only place of 4g.40gb', 0, '3g.40gb', 4],
    ['1g.20gb on an idle card goes where 2g.20gb cannot', 0, '1g.20gb', 6],
    ['1g.10gb beside a lone 1g.10gb completes the pair', 0b0001_0000, '1g.10gb', 5],
    ['1g.10gb takes the last place', 0b0011_1111, '1g.10gb', 6],
    ['1g.10gb has no compute on the last slice', 0b0111_1111, '1g.10gb', -1],
    ['4g.40gb cannot lie in the second half', 0b0000_1111, '4g.40gb', -1],
    ['7g.80gb needs an idle card', 0b0000_0001, '7g.80gb', -1],
  ])('%s', (_, taken, name, start) => {
    expect(chooseStart(H100, taken, named(H100, name))).toBe(start)
  })

  test('by the value of the rest, of equal ones the first', () => {
    everyMask((rules, taken) => {
      for (const profile of rules.profiles.keys()) {
        const free = startsFor(rules, profile).filter((start) => (taken & runOf(rules, profile, start)) === 0)
        const left = free.map((start) => valueOf(rules, taken | runOf(rules, profile, start)))
        const best = Math.max(...left)
        expect(chooseStart(rules, taken, profile)).toBe(free[left.indexOf(best)] ?? -1)
        expect(lossOf(rules, taken, profile)).toBe(free.length === 0 ? -1 : valueOf(rules, taken) - best)
        expect(stillPossible(rules, taken)[profile]).toBe(free.length)
      }
    })
  })
})

describe('the value of what is left', () => {
  test('is 1000 on an idle card and 0 when all is taken', () => {
    for (const model of PUBLISHED.keys()) {
      const rules = rulesOf(model)
      expect(valueOf(rules, 0)).toBe(1000)
      expect(valueOf(rules, 2 ** rules.slices - 1)).toBe(0)
    }
  })

  test('never rises when more is taken', () => {
    everyMask((rules, taken) => {
      for (let slice = 0; slice < rules.slices; slice++)
        expect(valueOf(rules, taken | (1 << slice))).toBeLessThanOrEqual(valueOf(rules, taken))
    })
  })

  test('is 0 exactly when nothing fits', () => {
    everyMask((rules, taken) => {
      expect(valueOf(rules, taken) === 0).toBe(stillPossible(rules, taken).every((count) => count === 0))
    })
  })

  test('is higher with half a card in one piece than in four', () => {
    expect(valueOf(H100, 0b1111_0000)).toBeGreaterThan(valueOf(H100, 0b0101_1010))
  })
})

test('what is still possible on a card is what the published lists allow', () => {
  for (const model of PUBLISHED.keys()) {
    const rules = rulesOf(model)
    for (const [mask, lying] of geometries(rules)) {
      const counts = rules.profiles.map(({ name }) => allowed(model, lying, name).length)
      expect(stillPossible(rules, mask)).toEqual(counts)
    }
  }
})

test('a mask that no card of the model can have leaves no room', () => {
  const a30 = rulesOf('a30')
  for (let taken = 16; taken < 256; taken++) {
    expect(valueOf(a30, taken)).toBe(0)
    expect(chooseStart(a30, taken, 0)).toBe(-1)
    expect(lossOf(a30, taken, 0)).toBe(-1)
    expect(stillPossible(a30, taken)).toEqual([0, 0, 0])
  }
  expect(valueOf(a30, 256)).toBe(0)
  expect(chooseStart(a30, 256, 0)).toBe(-1)
  expect(lossOf(a30, 256, 0)).toBe(-1)
})

describe('a run of memory slices', () => {
  const half = named(H100, '3g.40gb')

  test('is as long as the profile and lies where it begins', () => {
    expect(runOf(H100, half, 4)).toBe(0b1111_0000)
    expect(positionOf(0b1111_0000)).toBe(4)
    expect(positionOf(0b0000_0001)).toBe(0)
  })

  test('is taken', () => {
    expect(take(0b0000_0001, 0b1111_0000)).toBe(0b1111_0001)
  })

  test('cannot be taken twice', () => {
    expect(() => take(0b0001_0000, 0b1111_0000)).toThrow('slices are cut out of free memory')
  })

  test('belongs to a profile of the card', () => {
    expect(() => runOf(H100, 6, 0)).toThrow('a profile is an index into the profiles of its card')
  })
})

function everyMask(check: (rules: MigRules, taken: number) => void): void {
  for (const model of ['a30', 'h100-sxm', 'gb300']) {
    const rules = rulesOf(model)
    for (let taken = 0; taken < 2 ** rules.slices; taken++) check(rules, taken)
  }
}

/** Every mask that slices can make, each with slices that make it. */
function geometries(rules: MigRules): ReadonlyMap<number, readonly CutSlice[]> {
  const found = new Map<number, readonly CutSlice[]>([[0, []]])
  for (const [mask, lying] of found) {
    for (const profile of rules.profiles.keys()) {
      for (const start of startsFor(rules, profile)) {
        const slices = runOf(rules, profile, start)
        if ((mask & slices) === 0 && !found.has(mask | slices))
          found.set(mask | slices, [...lying, cutOf(rules, profile, start)])
      }
    }
  }
  return found
}
