import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Offer } from '../../src/core/offer/offer.ts'
import type { Provider } from '../../src/ports/provider.ts'
import { call, isOver, launchCall, yes } from '../../src/providers/contract/bench.suite.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import {
  DEVICE_CLASSES,
  dualSocketCards,
  partitionableSlices,
  sliceOf,
  switchedCards,
} from '../engines/fakes/slices.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { depsAs } from './bench.ts'
import { depsFor, openOn } from './bench.ts'
import { claimsIn, given, orderAt } from './claims.ts'

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
const SOON = { timeout: 20_000, interval: 100 }
const PODS = '/api/v1/namespaces/berth/pods'
const whole = (...cards: readonly number[]) => ({ cards, taken: undefined })

describe('cards that claims get', () => {
  let rig: Rig
  let provider: Provider
  beforeAll(async () => {
    rig = await startRig({ name: 'claims' })
    // The namespace, the account and the rights that ship: everything below is done with them alone.
    await rig.api.applyText(readFileSync(RBAC, 'utf8'))
    await addNodes(
      rig.api,
      ['sockets', 'switched', 'cut', 'sick'].map((name) => ({ name })),
    )
    const sick = dualSocketCards('sick').map((card, at) =>
      at === 0 ? { ...card, taints: [{ key: 'xid', value: '79', effect: 'NoSchedule' }] } : card,
    )
    await rig.api.apply(
      ...DEVICE_CLASSES,
      sliceOf('sockets', dualSocketCards('sockets')),
      sliceOf('switched', switchedCards('switched')),
      sliceOf('sick', sick),
      ...partitionableSlices('cut'),
    )
    provider = await openOn(await depsAs(rig, 'berth'), { namespace: 'berth' })
  })
  afterAll(async () => {
    await provider.close?.()
    await rig.stop()
  })

  async function offers(): Promise<readonly Offer[]> {
    return yes(await provider.offers(call())).offers
  }

  async function free(node: string): Promise<number> {
    const all = (await offers()).filter(({ instance, stock }) => instance === node && stock?.level !== 'full')
    return Math.max(0, ...all.map(({ gpu }) => (gpu === undefined || gpu.slice !== undefined ? 0 : gpu.count)))
  }

  async function stopped(order: Order): Promise<void> {
    const ref = { tag: order.tag, instance: undefined }
    await expect.poll(async () => yes(await provider.stop(ref, call())).gone, SOON).toBe(true)
    await expect.poll(() => given(rig, order), SOON).toBeUndefined()
  }

  test('an attempt gets the cards that were chosen, once, and leaves nothing behind', async () => {
    expect(await free('sockets')).toBe(8)
    const order = orderAt('sockets', whole(1, 6))
    yes(await provider.launch(order, launchCall()))
    yes(await provider.launch(order, launchCall()))
    await expect.poll(() => given(rig, order), SOON).toEqual(['sockets/gpu-1', 'sockets/gpu-6'])
    const names = (await rig.api.list(claimsIn('berth'))).map(({ metadata }) => metadata.name)
    expect(names).toEqual([nameOf(order.tag.attempt)])
    await expect.poll(() => free('sockets'), SOON).toBe(6)
    await stopped(order)
    await expect.poll(() => free('sockets'), SOON).toBe(8)
    yes(await provider.launch(order, launchCall()))
    expect(await given(rig, order)).toBeUndefined()
  })

  test('a claim that could not be written is written by the next launch', async () => {
    const role = '/apis/rbac.authorization.k8s.io/v1/namespaces/berth/roles/berth'
    const { rules } = await rig.api.get<{ readonly rules: readonly { readonly resources: readonly string[] }[] }>(role)
    const isMissing = async () => (await provider.check?.(call()))?.some(({ text }) => text.includes('resourceclaims'))
    await rig.api.patch(role, { rules: rules.filter(({ resources }) => !resources.includes('resourceclaims')) })
    await expect.poll(isMissing, SOON).toBe(true)
    const order = orderAt('sockets', whole(2))
    const fault = { created: 'yes', instance: nameOf(order.tag.attempt) }
    expect(await provider.launch(order, launchCall())).toMatchObject({ ok: false, fault })
    await rig.api.patch(role, { rules })
    await expect.poll(isMissing, SOON).toBe(false)
    yes(await provider.launch(order, launchCall()))
    await expect.poll(() => given(rig, order), SOON).toEqual(['sockets/gpu-2'])
    await stopped(order)
  })

  test('a card that another claim has is sold out, and nothing is left of the try', async () => {
    const [first, second] = [orderAt('switched', whole(5)), orderAt('switched', whole(4, 5))]
    yes(await provider.launch(first, launchCall()))
    await expect.poll(() => given(rig, first), SOON).toEqual(['switched/gpu-5'])
    expect(await provider.launch(second, launchCall())).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
    expect(isOver(yes(await provider.describe({ tag: second.tag, instance: undefined }, call())))).toBe(true)
    await expect.poll(() => given(rig, second), SOON).toBeUndefined()
    await stopped(first)
  })

  test('a tainted card is sick: it is not offered, and a launch on it is refused', async () => {
    expect(await free('sick')).toBe(7)
    expect(await provider.launch(orderAt('sick', whole(0)), launchCall())).toMatchObject({ ok: false })
    const order = orderAt('sick', whole(1))
    yes(await provider.launch(order, launchCall()))
    await expect.poll(() => given(rig, order), SOON).toEqual(['sick/gpu-1'])
    await stopped(order)
  })

  test('a slice is cut out of the card that was chosen, and the card is no longer had whole', async () => {
    const profiles = new Set((await offers()).flatMap(({ gpu }) => gpu?.slice?.profile ?? []))
    expect([...profiles].toSorted()).toEqual(['1g.10gb', '2g.20gb', '3g.40gb', '7g.80gb'])
    const slice = orderAt('cut', { cards: [0], taken: { kind: 'slice', profile: '3g.40gb', start: 4 } })
    yes(await provider.launch(slice, launchCall()))
    await expect.poll(() => given(rig, slice), SOON).toEqual([expect.stringMatching(/^cut\/gpu-0-mig-3g-40gb-/)])
    expect(await free('cut')).toBe(0)
    expect(await provider.launch(orderAt('cut', whole(0)), launchCall())).toMatchObject({
      ok: false,
      fault: { class: 'SOLD_OUT' },
    })
    await stopped(slice)
  })

  test('where the cluster picks, cards that were chosen in one socket come from one socket', async () => {
    const loose = await openOn(await depsAs(rig, 'berth'), { namespace: 'berth', pick: 'cluster' })
    const one = orderAt('sockets', whole(0))
    const four = orderAt('sockets', whole(4, 5, 6, 7))
    yes(await provider.launch(one, launchCall()))
    await expect.poll(() => given(rig, one), SOON).toEqual(['sockets/gpu-0'])
    yes(await loose.launch(four, launchCall()))
    await expect.poll(() => given(rig, four), SOON).toHaveLength(4)
    const sockets = (await given(rig, four))?.map((name) => `${name.slice(0, -1)}${Number(name.at(-1)) >> 2}`)
    expect(new Set(sockets).size).toBe(1)
    await stopped(one)
    await stopped(four)
    await loose.close?.()
  })

  test('the checkup counts the cards and asks for the rights that claims take', async () => {
    const rows = (await provider.check?.(call())) ?? []
    expect(rows.map(({ check, ok }) => [check, ok])).toEqual([
      ['permissions', true],
      ['namespace', true],
      ['scheduler', true],
      ['cards by claims', true],
    ])
    expect(rows.at(-1)?.text).toBe('25 cards of 4 nodes can be had by claims.')
  })

  test('nothing is left behind', async () => {
    await expect.poll(() => rig.api.list(claimsIn('berth')), SOON).toEqual([])
    const pods = await rig.api.list<{ readonly metadata: { readonly deletionTimestamp?: string } }>(PODS)
    expect(pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toEqual([])
  })
})

describe('a cluster before 1.36', () => {
  const old = ['--emulated-version=1.34']
  let rig: Rig
  beforeAll(async () => {
    const flags = { 'kube-apiserver': old, 'kube-scheduler': old, 'kube-controller-manager': old }
    rig = await startRig({ name: 'claims-old', flags })
    await addNodes(
      rig.api,
      ['sockets', 'cut'].map((name) => ({ name })),
    )
    await rig.api.apply(
      ...DEVICE_CLASSES,
      sliceOf('sockets', dualSocketCards('sockets')),
      ...partitionableSlices('cut'),
    )
  })
  afterAll(() => rig.stop())

  test('has dropped the counters: overlapping slices are not offered, and the checkup says what it cannot know', async () => {
    const provider = await openOn(depsFor(rig), { namespace: 'default' })
    const { offers } = yes(await provider.offers(call()))
    expect(new Set(offers.map(({ instance }) => instance))).toEqual(new Set(['sockets']))
    const told = (await provider.check?.(call()))?.at(-1)?.text
    expect(told).toContain('Kubernetes 1.34 drops taints of devices')
    expect(told).toContain('drops their counters')
    await provider.close?.()
  })
})
