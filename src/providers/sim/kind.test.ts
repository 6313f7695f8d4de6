import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, freshTag, launchCall, yes } from '../contract/bench.suite.ts'
import { openSim, sampleOrder, stillDeps } from './bench.suite.ts'
import { problemText, readSettings } from '../settings.ts'
import { simKind } from './kind.ts'

function depsOf(): ReturnType<typeof stillDeps> {
  const deps = stillDeps()
  onTestFinished(() => rmSync(deps.folder, { recursive: true, force: true }))
  return deps
}

test('everything that is wrong with the settings is said at once, with the key', () => {
  const wrong = {
    seed: -1,
    tokens: 'yes',
    start_seconds: [5, 2],
    faults: { lots: 0.1, lost: 2 },
    offers: [{ instance: '', gpu: { model: 'h9000' }, usd_per_hour: 'much' }],
    sed: 1,
  }
  const read = readSettings(simKind, wrong)
  expect(read.ok ? [] : read.problems.map((problem) => problemText(problem).split(':')[0])).toEqual([
    'seed',
    'tokens',
    'start_seconds',
    'faults.lots',
    'faults.lost',
    'offers[0].gpu.model',
    'offers[0].instance',
    'offers[0].usd_per_hour',
    'sed',
  ])
})

test('a catalogue can be the inventory file of a platform', async () => {
  const inventory = join(import.meta.dirname, '../../../examples/platform/northwind.yaml')
  const provider = await openSim({ inventory }, depsOf())
  const { offers } = yes(await provider.offers(call()))
  expect(offers.length).toBeGreaterThan(5)
  expect(offers.every((offer) => offer.provider === 'pretend' && offer.driver !== undefined)).toBe(true)
  expect(offers.find(({ stock }) => stock?.level === 'sold_out')).toBeDefined()
})

const SMALL = { instance: 'small-1', gpu: { model: 'l4' }, usd_per_hour: 1 }

test('what is taken is no longer offered, and is offered again when it is stopped', async () => {
  const offers = [{ instance: 'small-1', gpu: { model: 'l4' }, usd_per_hour: 1, stock: 1 }]
  const deps = depsOf()
  const provider = await openSim({ offers, stop_seconds: 0 }, deps)
  const order = { ...sampleOrder({ kind: 'long' }), tag: freshTag() }
  const { instance } = yes(await provider.launch(order, launchCall()))
  const again = await provider.launch({ ...order, tag: freshTag() }, launchCall())
  expect(again).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
  await provider.stop({ tag: order.tag, instance }, call())
  deps.pass(1000)
  expect(await provider.launch({ ...order, tag: freshTag() }, launchCall())).toMatchObject({ ok: true })
})

test('what was stopped in an earlier life or by another process is offered again', async () => {
  const offers = [{ instance: 'small-1', gpu: { model: 'l4' }, usd_per_hour: 1, stock: 1 }]
  const deps = depsOf()
  const [first, other] = [await openSim({ offers, stop_seconds: 0 }, deps), await openSim({ offers }, deps)]
  const launch = (provider: typeof first) =>
    provider.launch({ ...sampleOrder({ kind: 'long' }), tag: freshTag() }, launchCall())
  const { instance } = yes(await launch(first))
  expect(await launch(other)).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
  await first.stop({ tag: freshTag(), instance }, call())
  deps.pass(1000)
  const later = await openSim({ offers }, deps)
  for (const provider of [other, later]) {
    const { offers: capacity } = yes(await provider.offers(call()))
    expect(capacity[0]?.stock).toMatchObject({ units: 1 })
  }
})

test('what costs more than its ceiling is refused as gone', async () => {
  const provider = await openSim({}, depsOf())
  const order = { ...sampleOrder({ kind: 'long' }), tag: freshTag(), usdPerHourMax: 0.1 }
  expect(await provider.launch(order, launchCall())).toMatchObject({ ok: false, fault: { class: 'OFFER_GONE' } })
})

test('an answer that is lost has created something all the same', async () => {
  const deps = depsOf()
  const provider = await openSim({ faults: { lost: 1 } }, deps)
  const order = { ...sampleOrder({ kind: 'long' }), tag: freshTag() }
  await expect(provider.launch(order, launchCall())).rejects.toThrow('connection reset')
  expect(readFileSync(join(deps.folder, 'billing.jsonl'), 'utf8')).toContain(order.tag.attempt)
})

test('the truth is in a file that a crash in the middle of a line does not spoil', async () => {
  const deps = depsOf()
  const provider = await openSim({}, deps)
  const order = { ...sampleOrder({ kind: 'long' }), tag: freshTag() }
  const { instance } = yes(await provider.launch(order, launchCall()))
  const path = join(deps.folder, 'billing.jsonl')
  expect(JSON.parse(readFileSync(path, 'utf8').trim())).toMatchObject({ id: instance, endsMs: null, usdPerHour: 0.7 })
  appendFileSync(path, '{"id":"i-half')
  const later = await openSim({}, deps)
  const { instances } = yes(await later.list(order.tag.owner, call()))
  expect(instances.map((each) => each.instance)).toEqual([instance])
  await later.launch({ ...order, tag: freshTag() }, launchCall())
  const third = await openSim({}, deps)
  expect(yes(await third.list(order.tag.owner, call())).instances).toHaveLength(2)
})

describe.each([1, 40, 400])('a clock that is set back by %i days', (days) => {
  test.each(['with a restart', 'without'])('holds up nothing that starts or ends, %s', async (how) => {
    const deps = depsOf()
    deps.set(days * 86_400_000)
    const settings = { start_seconds: 5, stop_seconds: 5, offers: [{ ...SMALL, stock: 2 }] }
    const first = await openSim(settings, deps)
    const [one, two] = [freshTag(), freshTag()]
    for (const tag of [one, two]) yes(await first.launch({ ...sampleOrder({ kind: 'long' }), tag }, launchCall()))
    deps.pass(60_000)
    yes(await first.stop({ tag: two, instance: undefined }, call()))
    deps.set(0)
    const later = how === 'without' ? first : await openSim(settings, deps)
    deps.pass(6000)
    const stateOf = async (tag: typeof one) => yes(await later.describe({ tag, instance: undefined }, call())).state
    expect([await stateOf(one), await stateOf(two)]).toEqual(['up', 'ended'])
    const three = { ...sampleOrder({ kind: 'long' }), tag: freshTag() }
    yes(await later.launch(three, launchCall()))
    deps.pass(6000)
    expect(await stateOf(three.tag)).toBe('up')
  })
})

test('what never starts does not start by a restart', async () => {
  const deps = depsOf()
  const order = { ...sampleOrder({ kind: 'long' }), env: { SIM_START: 'never' }, tag: freshTag() }
  yes(await (await openSim({}, deps)).launch(order, launchCall()))
  deps.pass(60_000)
  const later = await openSim({}, deps)
  expect(yes(await later.describe({ tag: order.tag, instance: undefined }, call())).state).toBe('starting')
})
