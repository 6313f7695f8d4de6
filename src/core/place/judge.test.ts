import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { ALL_FILTERS } from '../requirement/filter/all-filters.ts'
import { gpu, gpuNeed, machine, need, NOW_MS, price, site, state } from '../requirement/filter/facts.suite.ts'
import { noneOf, oneOf } from '../requirement/need/choice.ts'
import { atLeast, atMost } from '../requirement/need/range.ts'
import { offer } from '../offer/offer.suite.ts'
import { freeze } from '../offer/snapshot.ts'
import {
  CIRCUMSTANCE_FILTERS,
  circumstanceBits,
  groupBits,
  judge,
  MACHINE_FILTERS,
  machineBits,
  refusal,
  refusalAt,
  type Question,
} from './judge.ts'

function machineNames(bits: number): readonly string[] {
  return MACHINE_FILTERS.filter((_, index) => (bits & (1 << index)) !== 0).map((filter) => filter.name)
}

function circumstanceNames(bits: number): readonly string[] {
  return CIRCUMSTANCE_FILTERS.filter((_, index) => (bits & (1 << index)) !== 0).map((filter) => filter.name)
}

function filterNamed(name: string) {
  return must(
    ALL_FILTERS.find((filter) => filter.name === name),
    'a filter',
  )
}

const DEMANDING: Question = {
  need: {
    ...gpuNeed({ vramGib: atLeast(81), count: atLeast(3) }),
    cpu: atLeast(65),
    provider: oneOf(['beta']),
    trust: oneOf(['internal']),
    nodes: 9,
    usdPerHour: atMost(3),
    market: oneOf(['on-demand']),
    unknownAccepted: oneOf([]),
  },
  nowMs: NOW_MS,
}

describe('judging', () => {
  test('every machine filter has its bit', () => {
    expect(machineNames(machineBits(machine(), DEMANDING))).toEqual(['vram', 'count', 'cpu'])
    expect(machineBits(machine(), { need: gpuNeed(), nowMs: NOW_MS })).toBe(0)
  })

  test('a quarantined machine is refused for that alone', () => {
    const suspect = machine({ gpu: undefined, cpu: undefined, quarantine: 'NAME_UNKNOWN' })
    expect(machineNames(machineBits(suspect, DEMANDING))).toEqual(['quarantine'])
  })

  test('every filter on sites, states and prices has its bit', () => {
    expect(circumstanceNames(circumstanceBits('site', site(), DEMANDING))).toEqual(['provider', 'trust'])
    expect(circumstanceNames(circumstanceBits('state', state({ units: 8 }), DEMANDING))).toEqual(['stock', 'quota'])
    expect(circumstanceNames(circumstanceBits('price', price(), DEMANDING))).toEqual(['price'])
    const unsold = price({ usdPerHour: undefined })
    expect(circumstanceNames(circumstanceBits('price', unsold, DEMANDING))).toEqual(['market'])
    expect(circumstanceBits('site', site(), { need: need(), nowMs: NOW_MS })).toBe(0)
  })

  test('an unknown is a refusal unless the policy accepts it', () => {
    const subject = machine({ cpu: undefined })
    const asked = need({ cpu: atLeast(4) })
    const cpu = filterNamed('cpu')
    const says = (unknownAccepted: typeof asked.unknownAccepted) =>
      cpu.about === 'machine' ? refusal(cpu, subject, { need: { ...asked, unknownAccepted }, nowMs: NOW_MS }) : 'none'
    expect(says(oneOf(['cpu']))).toBeUndefined()
    expect(says(noneOf([]))).toBeUndefined()
    expect(says(oneOf(['memory']))).toEqual({ code: 'CPU_UNKNOWN', wanted: '4', found: undefined })
    const small = { need: { ...asked, unknownAccepted: oneOf(['cpu']) }, nowMs: NOW_MS }
    expect(cpu.about === 'machine' && refusal(cpu, machine({ cpu: 1 }), small)).toMatchObject({ found: '1' })
  })

  test('time reaches the filters', () => {
    const refused = state({ refusedWhy: 'fault', refusedUntilMs: NOW_MS + 1, refusals: 1 })
    expect(circumstanceNames(circumstanceBits('state', refused, { need: need(), nowMs: NOW_MS }))).toEqual(['stock'])
    expect(circumstanceBits('state', refused, { need: need(), nowMs: NOW_MS + 1 })).toBe(0)
  })

  test('runs over all that a snapshot shares', () => {
    const snapshot = freeze([offer(), offer({ cpu: 128, provider: 'beta', trust: 'internal', quotaLeft: 1 })])
    const { need: asked, nowMs } = DEMANDING
    const judgement = judge(snapshot, asked, nowMs)
    expect(judgement.need).toBe(asked)
    expect(judgement.nowMs).toBe(nowMs)
    expect([...judgement.machines].map(machineNames)).toEqual([
      ['vram', 'count', 'cpu'],
      ['vram', 'count'],
    ])
    expect([...judgement.sites].map(circumstanceNames)).toEqual([['provider', 'trust'], []])
    expect([...judgement.states].map(circumstanceNames)).toEqual([['quota'], ['quota']])
    expect(circumstanceNames(groupBits(snapshot, judgement, 0))).toEqual(['provider', 'trust', 'quota'])
    expect(circumstanceNames(groupBits(snapshot, judgement, 1))).toEqual(['quota'])
  })

  test('asks a filter about the part of an offer that it looks at', () => {
    const snapshot = freeze([offer({ gpu: undefined }), offer({ instance: 'other', provider: 'beta', usdPerHour: 5 })])
    const codes = (row: number): readonly unknown[] =>
      ['gpu', 'provider', 'quota', 'price'].map(
        (name) => refusalAt(filterNamed(name), { snapshot, group: row, row }, DEMANDING)?.code,
      )
    expect(codes(0)).toEqual(['NO_GPU', 'PROVIDER_NOT_ALLOWED', 'QUOTA_UNKNOWN', 'OVER_PRICE'])
    expect(codes(1)).toEqual([undefined, undefined, 'QUOTA_UNKNOWN', 'OVER_PRICE'])
    const cheap = { ...DEMANDING, need: { ...DEMANDING.need, usdPerHour: atMost(4) } }
    const overPrice = (row: number) => refusalAt(filterNamed('price'), { snapshot, group: 0, row }, cheap)?.found
    expect([overPrice(0), overPrice(1)]).toEqual([undefined, '$5.00'])
  })

  test('a machine with a card that is too small by a hair is refused for that hair', () => {
    const hair = machine({ gpu: gpu({ vramGib: 80.9 }), cpu: 65 })
    expect(machineNames(machineBits(hair, DEMANDING))).toEqual(['vram', 'count'])
  })
})
