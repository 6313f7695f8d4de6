import { expect, test } from 'vitest'
import { Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

test('a provider that is dropped for a moment and comes back is listed again', async () => {
  const story = new Story()
  const north = story.cloud('north')
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(30)
  const provider = story.provider('north')
  story.drop('north')
  // Long enough for the next list to be left out, and not for the next look at its offers.
  await story.pass(25)
  story.state('north', 'open', provider)
  await story.pass(10)
  const before = north.asked.filter(({ ask }) => ask === 'list').length
  await story.pass(60)
  expect(north.asked.filter(({ ask }) => ask === 'list').length).toBeGreaterThan(before)
})

test('a launch that was noted, not begun and not answered is said again until it is begun', async () => {
  const story = new Story()
  const north = story.cloud('north', { tokens: true })
  const before = story.controller('one')
  // The leader dies while it launches; the next one sees the list before it gets to the slot.
  north.next.set('launch', ['noted'])
  await story.apply(SERVICE)
  await story.pass(0.1)
  before.process.kill()
  story.controller('two')
  await story.pass(120)
  expect((await story.placement())?.phase).toBe('running')
  expect(story.billed()).toHaveLength(1)
})
