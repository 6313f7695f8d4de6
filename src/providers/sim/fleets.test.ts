import { describe, expect, test } from 'vitest'
import type { FleetNode, Request, Spot } from '../../core/fleet/fleet.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Provider } from '../../ports/provider.ts'
import { openSim, sampleOrder, stillDeps } from './bench.suite.ts'
import { readFleets, whyCrowded } from './fleets.ts'

const HALL = { name: 'hall', nodes: 2, gpu: { model: 'h100-sxm', count: 8, parts: 'mig' }, rack: 1 }
const WHOLE: Request = {
  cpuMilli: 1000,
  memoryMib: 1024,
  diskMib: 0,
  count: 2,
  part: { kind: 'whole' },
  models: undefined,
}

function node(): FleetNode {
  const [first] = readFleets([HALL], [])
  const found = first?.fleet.nodes[0]
  if (found === undefined) throw new Error('there is a node')
  return found
}

function spot(cards: readonly number[], taken: Spot['taken'] = undefined): Spot {
  return { node: 0, cards, taken }
}

describe('settings of fleets', () => {
  test('describe equal nodes, in racks', () => {
    const [fleet] = readFleets([HALL], [])
    expect(fleet?.fleet.nodes.map(({ id, cards, domains }) => [id, cards.length, domains.rack])).toEqual([
      ['hall-0', 8, 'hall-r0'],
      ['hall-1', 8, 'hall-r1'],
    ])
  })

  test('that cannot be read are all reported', () => {
    const problems: string[] = []
    readFleets([{ nodes: 0, gpu: { model: 'abacus', count: 99, parts: 'half' } }], problems)
    readFleets('hall', problems)
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      'fleets[0].name',
      'fleets[0].nodes',
      'fleets[0].gpu.model',
      'fleets[0].gpu.count',
      'fleets[0].gpu.parts',
      'fleets',
    ])
  })
})

describe('room on a node', () => {
  const slice = (profile: string, start: number) => ({ kind: 'slice', profile, start }) as const
  const part: Request = { ...WHOLE, count: 1, part: { kind: 'slice', vramGib: 10 } }

  test.each([
    ['other cards', spot([0, 1]), spot([2, 3]), WHOLE, undefined],
    ['a card in use', spot([0, 1]), spot([1, 2]), WHOLE, 'card 1 of hall-0 is in use'],
    ['a card that is not there', spot([0, 1]), spot([7, 8]), WHOLE, 'card 8 of hall-0 is in use'],
    ['too few cards', spot([0, 1]), spot([2]), WHOLE, 'the order names too few cards of hall-0'],
    ['slices side by side', spot([0], slice('1g.10gb', 0)), spot([0], slice('1g.10gb', 1)), part, undefined],
    ['slices that overlap', spot([0], slice('1g.10gb', 0)), spot([0], slice('1g.10gb', 0)), part, 'card 0 of'],
    ['processors', spot([0]), spot([1, 2]), { ...WHOLE, cpuMilli: 1e6 }, 'not enough processors are free'],
    ['memory', spot([0]), spot([1, 2]), { ...WHOLE, memoryMib: 1e9 }, 'not enough memory is free'],
  ])('for %s', (_, held, asked, request, why) => {
    const found = whyCrowded(node(), [{ request: { ...part, count: held.cards.length }, spot: held }], {
      request,
      spot: asked,
    })
    if (why === undefined) expect(found).toBeUndefined()
    else expect(found).toContain(why)
  })
})

describe('a simulated cloud with fleets', () => {
  const call = { signal: new AbortController().signal, requestId: 'r1' }
  const order = (attempt: string, cards: readonly number[]): Order => {
    const tag = { owner: 'o1', project: 'default', workload: 'w', uid: 'u1', slot: '0', epoch: 1, attempt }
    const plain = { ...sampleOrder({ kind: 'serve' }), tag }
    const held = { id: 'hall-1', spot: { node: 1, cards, taken: undefined }, request: WHOLE }
    return { ...plain, place: { ...plain.place, region: 'hall', instance: 'hall-1', node: held } }
  }
  const launch = (provider: Provider, sent: Order) => provider.launch(sent, { ...call, secrets: new Map() })

  test('tells what runs there, gives no card twice, and frees what ends', async () => {
    const deps = stillDeps()
    const settings = { fleets: [HALL], stop_seconds: 0 }
    const provider = await openSim(settings, deps)
    expect((await launch(provider, order('a1', [0, 1]))).ok).toBe(true)
    expect(await launch(provider, order('a2', [1, 2]))).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
    expect((await launch(provider, order('a3', [2, 3]))).ok).toBe(true)
    await provider.stop({ tag: order('a1', []).tag, instance: undefined }, call)
    deps.pass(2000)
    const again = await openSim(settings, deps)
    const answer = await again.offers(call)
    if (!answer.ok) throw new Error(answer.fault.message)
    const [fleet] = answer.value.fleets
    expect(fleet?.tenants.map(({ name, spot: { node: at, cards } }) => [name, at, cards])).toEqual([['a3', 1, [2, 3]]])
    expect(new Set(answer.value.offers.map(({ capacity, instance }) => `${capacity} ${instance}`))).toEqual(
      new Set(['owned hall-0', 'owned hall-1']),
    )
  })

  test('does not know nodes that it does not have', async () => {
    const provider = await openSim({ fleets: [HALL] }, stillDeps())
    const sent = order('a1', [0, 1])
    const node = sent.place.node && { ...sent.place.node, id: 'attic-1' }
    expect(await launch(provider, { ...sent, place: { ...sent.place, node } })).toMatchObject({
      fault: { class: 'OFFER_GONE' },
    })
  })
})
