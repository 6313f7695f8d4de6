import { describe, expect, test } from 'vitest'
import type { Provider } from '../ports/provider.ts'
import { Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'
const NAMES = Array.from({ length: 12 }, (_, index) => `work-${index}`)

type Answer = 'sold out' | 'silence' | 'taken'

/** A cloud whose answers to orders are set by hand, and when it was asked, in ms. */
function cloudOf(story: Story, name: string): { answer: (index: number) => Answer; readonly asked: number[] } {
  story.cloud(name)
  const known = story.provider(name)
  const hand: ReturnType<typeof cloudOf> = { answer: () => 'taken', asked: [] }
  const launch: Provider['launch'] = async (order, call) => {
    const answer = hand.answer(hand.asked.push(story.loop.atMs))
    if (answer === 'silence') return new Promise(() => undefined)
    if (answer === 'sold out') return { ok: false, fault: { class: 'SOLD_OUT', message: 'There is none left.' } }
    return known.launch(order, call)
  }
  story.state(name, 'open', Object.assign(Object.create(known) as Provider, { launch }))
  return hand
}

async function begin(): Promise<{ readonly story: Story; readonly north: ReturnType<typeof cloudOf> }> {
  const story = new Story()
  const north = cloudOf(story, 'north')
  story.controller('one')
  await story.pass(5)
  return { story, north }
}

async function apply(story: Story, names: readonly string[]): Promise<void> {
  for (const name of names) await story.apply(`${SERVICE}name: ${name}\n`, { name })
}

describe('after the expiry of a refusal', () => {
  test('one workload asks, and the others wait for its answer', async () => {
    const { story, north } = await begin()
    north.answer = (index) => (index <= 3 ? 'sold out' : 'taken')
    await apply(story, NAMES.slice(0, 1))
    await story.pass(5)
    await apply(story, NAMES.slice(1))
    await story.pass(1200)
    // One for each time that it was sold out, three minutes apart; then room for one, and then all others.
    const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = north.asked
    expect([second - first, third - second, fourth - third].every((gap) => gap >= 180_000 && gap < 240_000)).toBe(true)
    expect(fifth).toBeGreaterThan(fourth)
    expect(north.asked).toHaveLength(3 + NAMES.length)
    expect(story.billed()).toHaveLength(NAMES.length)
  })

  test('the replicas of one workload send one ahead as well', async () => {
    const { story, north } = await begin()
    north.answer = (index) => (index <= 5 ? 'sold out' : 'taken')
    await story.apply(`${SERVICE}name: many\nreplicas: 4\n`, { name: 'many' })
    await story.pass(100)
    // Before anything was refused there, all of them ask.
    expect(north.asked).toHaveLength(4)
    await story.pass(140)
    expect(north.asked).toHaveLength(5)
    expect((await story.status('many'))?.waiting?.code).toBe('REFUSED_RECENTLY')
    await story.pass(300)
    expect(story.billed()).toHaveLength(4)
  })

  test('an answer that does not come holds the others up for about a minute', async () => {
    const { story, north } = await begin()
    north.answer = (index) => (index === 1 ? 'sold out' : index === 2 ? 'silence' : 'taken')
    await apply(story, NAMES.slice(0, 1))
    await story.pass(5)
    await apply(story, NAMES.slice(1))
    await story.pass(400)
    const [, probe = 0, next = 0] = north.asked
    expect(next - probe).toBeGreaterThanOrEqual(60_000)
    expect(next - probe).toBeLessThanOrEqual(105_000)
    expect(story.billed().length).toBeGreaterThanOrEqual(NAMES.length - 1)
  })
})
