import { expect, test } from 'vitest'
import type { Provider } from '../ports/provider.ts'
import { Story } from './story.suite.ts'

const SERVICE =
  'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\ncommand: [serve]\n'

/** A provider that calls every order wrong. */
function picky(story: Story, name: string): void {
  const known = story.provider(name)
  const launch: Provider['launch'] = async () => ({
    ok: false,
    fault: { class: 'BAD_REQUEST', message: 'There is no program serve on this host.' },
  })
  story.state(name, 'open', Object.assign(Object.create(known) as Provider, { launch }))
}

test('one provider that calls a workload wrong is passed by, and the next one takes it', async () => {
  const story = new Story()
  story.cloud('north', { factor: 0.5 })
  story.cloud('south')
  picky(story, 'north')
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(20)
  expect(await story.standing()).toEqual(['demo/0 running south'])
  expect((await story.status())?.refusedBy?.places).toEqual([
    { at: 'north', why: 'There is no program serve on this host.', sinceMs: expect.any(Number) },
  ])
  expect((await story.kinds()).filter((kind) => kind === 'refused')).toHaveLength(1)
})

test('a workload that every place rejects as invalid ends with that reason', async () => {
  const story = new Story()
  story.cloud('north', { factor: 0.5 })
  story.cloud('south')
  for (const name of ['north', 'south']) picky(story, name)
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(1200)
  const events = (await story.events()).filter(({ kind }) => kind === 'refused')
  expect(new Set(events.slice(0, 2).map(({ facts }) => facts['provider']))).toEqual(new Set(['north', 'south']))
  expect((await story.status())?.end?.why).toBe('refused as invalid: There is no program serve on this host.')
})

test('a place that called it wrong is not asked again while another provider cannot be reached', async () => {
  const story = new Story()
  story.cloud('north', { factor: 0.5 })
  story.cloud('south')
  picky(story, 'north')
  const south = story.provider('south')
  const offers: Provider['offers'] = async () => ({ ok: false, fault: { class: 'TRANSIENT', message: 'busy' } })
  story.state('south', 'open', Object.assign(Object.create(south) as Provider, { offers }))
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(1200)
  expect((await story.kinds()).filter((kind) => kind === 'refused')).toHaveLength(1)
  const status = await story.status()
  expect(status).toMatchObject({ failures: 0, waiting: { code: 'REFUSED_AS_WRONG' } })
  expect(status?.end).toBeUndefined()
  story.state('south', 'open', south)
  await story.pass(120)
  expect(await story.standing()).toEqual(['demo/0 running south'])
})
