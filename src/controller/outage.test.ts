import { expect, test } from 'vitest'
import { Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

/** A cheap cloud that runs the work, and others. */
async function begun(...others: readonly string[]) {
  const story = new Story()
  const north = story.cloud('north', { factor: 0.5 })
  for (const name of others) story.cloud(name)
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(15)
  return { story, north }
}

test('what a silent provider runs is served elsewhere within a minute, and is ended when that answers again', async () => {
  const { story, north } = await begun('south')
  expect(await story.standing()).toEqual(['demo/0 running north'])
  north.isCut = true
  await story.pass(60)
  expect(await story.standing()).toEqual(['demo/0 stopping north', 'demo/0.b running south'])
  // It is billed and counted until its end is proven.
  await story.pass(3600)
  expect(story.billed()).toHaveLength(2)
  north.isCut = false
  await story.pass(60)
  expect(await story.standing()).toEqual(['demo/0.b running south'])
  expect(story.billed()).toHaveLength(1)
})

test('a short silence moves nothing', async () => {
  const { story, north } = await begun('south')
  north.isCut = true
  await story.pass(20)
  north.isCut = false
  await story.pass(120)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  expect(story.billed()).toHaveLength(1)
})

test('a new leader waits for the grace again', async () => {
  const { story, north } = await begun('south')
  north.isCut = true
  await story.pass(25)
  story.controller('two')
  await story.pass(5)
  expect(await story.standing()).toEqual(['demo/0 running north'])
})

test('where there is no room elsewhere, it waits with a reason, and waits no more when the provider is back', async () => {
  const { story, north } = await begun()
  north.isCut = true
  await story.pass(90)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  expect((await story.status())?.waiting?.code).toBeDefined()
  north.isCut = false
  await story.pass(60)
  expect((await story.status())?.waiting).toBeUndefined()
})
