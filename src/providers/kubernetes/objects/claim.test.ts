import { expect, test } from 'vitest'
import { claimSpec } from './claim.ts'
import { devicesFor, type DeviceChoice } from './devices.ts'
import { NODES, orderOn } from './orders.suite.ts'

const { claimed } = NODES
const { claims } = claimed.ask

/** The choice of these cards of a node of two roots in each socket. */
function choiceOf(cards: readonly number[], version = 'v1'): DeviceChoice {
  const order = orderOn(claimed, { gpus: cards.length })
  const { node } = order.place
  const place = { ...order.place, node: node && { ...node, spot: { ...node.spot, cards } } }
  return devicesFor({ gpus: cards.length, place }, { claims, version }) ?? fail()
}

function fail(): never {
  throw new Error('the node has these cards')
}

test('cards are held together by the nearest thing that they share', () => {
  expect([[0, 1], [1, 2], [0, 1, 2, 3], [2]].map((cards) => choiceOf(cards).near)).toEqual([
    'resource.kubernetes.io/pcieRoot',
    'gpu.nvidia.com/numaNode',
    'gpu.nvidia.com/numaNode',
    undefined,
  ])
})

test('cards behind a switch need not be held together', () => {
  const switched = claims && { ...claims, ties: [] }
  const order = orderOn(claimed, { gpus: 4 })
  const choice = devicesFor(order, { claims: switched, version: 'v1' }) ?? fail()
  expect(claimSpec(choice, { pick: 'cluster' })).not.toHaveProperty('devices.constraints')
})

test('a pinned claim has no constraint: it could only contradict the choice', () => {
  expect(claimSpec(choiceOf([0, 3]), { pick: 'berth' })).not.toHaveProperty('devices.constraints')
})

test('the first version of the API has the parts of a request one level further up', () => {
  const [flat, nested] = ['v1beta1', 'v1beta2'].map((version) => claimSpec(choiceOf([1], version), { pick: 'berth' }))
  const parts = { deviceClassName: 'gpu.nvidia.com', allocationMode: 'ExactCount', count: 1 }
  expect(flat).toMatchObject({ devices: { requests: [{ name: 'cards', ...parts }] } })
  expect(nested).toMatchObject({ devices: { requests: [{ name: 'cards', exactly: parts }] } })
})

test('what a driver says is text to a selector, whatever it is', () => {
  const choice = choiceOf([0])
  const odd = `a"] || true || "\\`
  const cards = choice.cards.map((card) => ({ ...card, mark: { attribute: 'd.example/uuid', value: odd } }))
  const spec = JSON.stringify(claimSpec({ ...choice, cards }, { pick: 'berth' }))
  expect(spec).toContain(JSON.stringify(`in [${JSON.stringify(odd)}]`).slice(1, -1))
})

test('cards that are known by different attributes are named by each of them', () => {
  const choice = choiceOf([0, 1])
  const cards = choice.cards.map((card, at) => ({
    ...card,
    mark: { attribute: `d.example/mark${at}`, value: `${at}` },
  }))
  expect(JSON.stringify(claimSpec({ ...choice, cards }, { pick: 'berth' }))).toContain(
    String.raw`(device.attributes[\"d.example\"].?mark0.orValue(\"\") in [\"0\"] || device.attributes[\"d.example\"].?mark1`,
  )
})
