import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { containerFor } from './container.ts'
import { groundOf } from './ground.ts'
import { NODES, orderOn } from './orders.suite.ts'
import { objectsOf, TABLE } from './table.suite.ts'

const FOLDER = join(import.meta.dirname, 'golden')

describe('what a launch writes', () => {
  test.each(TABLE.map((each) => [each.says, each] as const))('%s', async (says, each) => {
    await expect(`${JSON.stringify(objectsOf(each), null, 2)}\n`).toMatchFileSnapshot(join(FOLDER, `${says}.json`))
  })

  test('every file in the folder is one of these', () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
    expect(files.toSorted()).toEqual(TABLE.map(({ says }) => `${says}.json`).toSorted())
  })
})

describe('what a node no longer offers', () => {
  const SHARE = { kind: 'share', milli: 300 } as const
  const SLICE = { kind: 'slice', profile: '3g.20gb', start: 0 } as const

  test.each([
    ['a whole card of a node whose cards are cut', NODES.single, orderOn(NODES.single, { gpus: 1 })],
    ['a slice that was cut differently since', NODES.mixed, orderOn(NODES.mixed, { gpus: 1 }, SLICE)],
    ['a card of a node without cards', NODES.plain, orderOn(NODES.plain, { gpus: 1 })],
    ['a card that no slice publishes any more', NODES.claimed, orderOn(NODES.claimed, { gpus: 5 })],
    ['a slice of cards that claims get whole', NODES.claimed, orderOn(NODES.claimed, { gpus: 1 }, SLICE)],
    ['a whole card where slices exist', NODES.cut, orderOn(NODES.cut, { gpus: 1 })],
    ['a slice that cannot be cut', NODES.cuttable, orderOn(NODES.cuttable, { gpus: 1 }, SLICE)],
    ['a share of a card that claims get', NODES.claimed, orderOn(NODES.claimed, { gpus: 1 }, SHARE)],
    [
      'a card that claims get, in a cluster that no longer serves them',
      { ...NODES.claimed, deviceApi: undefined },
      orderOn(NODES.claimed, { gpus: 1 }),
    ],
  ])('%s is gone', (_, node, order) => {
    const fault = groundOf(order, node)
    expect(fault).toMatchObject({ class: 'OFFER_GONE', message: expect.stringContaining(node.name) })
  })
})

/** As Kubernetes expands commands and variables where no variable is known. */
function expanded(text: string): string {
  return text.replaceAll('$$', '$')
}

test('a secret replaces none of the variables that are Berth’s own, as on every other provider', () => {
  const order = orderOn(NODES.plain, { secrets: ['BERTH_SLOT', 'TOKEN'] })
  const none = { cards: undefined, fraction: undefined, devices: undefined }
  const ground = { ...none, node: 'n', labels: {}, taints: [], alike: [] }
  const { env } = containerFor(order, { name: 'p', ground, mounts: [], security: 'restricted' })
  expect(env).toContainEqual({ name: 'BERTH_SLOT', value: order.tag.slot })
  expect(env).toContainEqual({ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'p', key: 'TOKEN' } } })
})

test('a dollar sign means itself', () => {
  const spec = JSON.stringify(objectsOf(TABLE.find(({ says }) => says === 'service-with-everything') ?? fail()))
  for (const text of ['/models/$(MODEL)', '5$', 'pid $$', '$(HOME)']) {
    expect(spec).toContain(JSON.stringify(text.replaceAll('$', () => '$$')))
    expect(expanded(text.replaceAll('$', () => '$$'))).toBe(text)
  }
})

function fail(): never {
  throw new Error('there is no such case')
}
