import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rmSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import type { Provider, ProviderDeps } from '../../ports/provider.ts'
import { becomes, call, freshTag, isOver, isUp, launchCall, yes } from '../contract/bench.suite.ts'
import { setTimeout as pause } from 'node:timers/promises'
import { endAll, openLocal, realDeps, sampleOrder } from './bench.suite.ts'

const opened: { readonly provider: Provider; readonly deps: ProviderDeps }[] = []

afterEach(async () => {
  for (const { provider, deps } of opened.splice(0)) {
    await endAll(provider)
    await provider.close?.()
    rmSync(deps.folder, { recursive: true, force: true })
  }
}, 60_000)

async function open(settings: Readonly<Record<string, unknown>>): Promise<{ provider: Provider; deps: ProviderDeps }> {
  const deps = realDeps()
  const provider = await openLocal({ cpu: 8, memory: '32Gi', region: 'lab', ...settings }, deps)
  opened.push({ provider, deps })
  return { provider, deps }
}

test('a host with declared cards is one node of a fleet, with an offer for what is free', async () => {
  const { provider } = await open({ gpus: { model: 'h100-sxm', count: 2 } })
  const { offers, fleets, complete } = yes(await provider.offers(call()))
  expect(complete).toBe(true)
  expect(fleets).toHaveLength(1)
  expect(fleets[0]?.fleet.nodes[0]).toMatchObject({ model: 'h100-sxm', cpuMilli: 8000, memoryMib: 32 * 1024 })
  expect(offers.map(({ gpu }) => gpu?.count).sort()).toEqual([2])
  expect(offers[0]).toMatchObject({ region: 'lab', capacity: 'owned', usdPerHour: 0, inbound: true })
})

test('cards from a file with what nvidia-smi printed have their model and driver', async () => {
  const folder = realDeps().folder
  const file = join(folder, 'cards.csv')
  writeFileSync(file, '0, GPU-00000000-0000-4000-8000-000000000001, NVIDIA H200, 143771, 580.159.04, Disabled\n')
  const { provider } = await open({ gpus: file })
  const { offers } = yes(await provider.offers(call()))
  expect(offers[0]).toMatchObject({ driver: '580.159.04', gpu: { count: 1 }, quarantine: undefined })
  expect(offers[0]?.gpu?.model).toMatch(/^h200/)
  rmSync(folder, { recursive: true, force: true })
})

test('as many orders at once as there is room for are all taken on, and not one more', async () => {
  const { provider } = await open({ gpus: [], cpu: 1 })
  const orders = Array.from({ length: 11 }, () => ({ ...sampleOrder({ kind: 'long' }), tag: freshTag() }))
  const answers = await Promise.all(orders.map((order) => provider.launch(order, launchCall())))
  const refused = answers.flatMap((answer) => (answer.ok ? [] : [answer.fault.message]))
  expect(refused).toEqual(['Not enough processors are free on this host.'])
})

test('what runs takes its cards, which it sees and others do not, and gives them back', async () => {
  const { provider } = await open({ gpus: { model: 'h100-sxm', count: 2 } })
  const both = { provider, pass: (ms: number) => pause(ms) }
  const command = ['/bin/sh', '-c', 'echo "cards $CUDA_VISIBLE_DEVICES"; exec sleep 60']
  const order = { ...sampleOrder({ kind: 'long' }), command, gpus: 1, tag: freshTag() }
  const ref = { tag: order.tag, instance: undefined }
  const next = { ...order, tag: freshTag() }
  yes(await provider.launch(order, launchCall()))
  yes(await provider.launch(next, launchCall()))
  await becomes(both, ref, isUp)
  const { fleets, offers } = yes(await provider.offers(call()))
  expect(fleets[0]?.tenants.map(({ name, spot }) => [name, spot.cards])).toEqual(
    expect.arrayContaining([
      [order.tag.attempt, [0]],
      [next.tag.attempt, [1]],
    ]),
  )
  expect(offers.map(({ stock }) => stock?.level)).toContain('full')
  const third = await provider.launch({ ...order, tag: freshTag() }, launchCall())
  expect(third).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })

  // What was just started has yet to speak; whoever stops it before hears nothing.
  for await (const { text } of provider.logs?.(ref, { follow: true, tail: undefined }, call()) ?? []) {
    expect(text).toBe('cards 0')
    break
  }
  await provider.stop(ref, call())
  await becomes(both, ref, isOver)
  yes(await provider.launch({ ...order, tag: freshTag() }, launchCall()))
})

test('launches at the same time do not get the same card, and not more than there is', async () => {
  const { provider } = await open({ gpus: { model: 'h100-sxm', count: 2 } })
  const order = { ...sampleOrder({ kind: 'long' }), gpus: 1 }
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => provider.launch({ ...order, tag: freshTag() }, launchCall())),
  )
  expect(answers.filter(({ ok }) => ok)).toHaveLength(2)
  const { fleets } = yes(await provider.offers(call()))
  expect(fleets[0]?.tenants.flatMap(({ spot }) => spot.cards).sort()).toEqual([0, 1])
})

test('more processors or memory than are left are sold out', async () => {
  const { provider } = await open({ gpus: [] })
  const order = { ...sampleOrder({ kind: 'long' }), cpu: 5 }
  yes(await provider.launch({ ...order, tag: freshTag() }, launchCall()))
  const more = await provider.launch({ ...order, tag: freshTag() }, launchCall())
  expect(more).toMatchObject({
    ok: false,
    fault: { class: 'SOLD_OUT', message: expect.stringContaining('processors') },
  })
  const large = { ...sampleOrder({ kind: 'long' }), memoryGib: 64, tag: freshTag() }
  expect(await provider.launch(large, launchCall())).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
})
