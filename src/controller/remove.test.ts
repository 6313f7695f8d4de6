import { expect, test } from 'vitest'
import { Story } from './story.suite.ts'

const JOB = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: job\n'

test('a provider that is being removed goes though it still lists what has ended', async () => {
  const story = new Story()
  story.cloud('north', { keepMs: 24 * 3_600_000 })
  const body = { kind: 'sim', settings: {}, state: 'removing' } as const
  story.controller('one')
  await story.apply(`${JOB}env: { SIM_SECONDS: "5" }\n`)
  await story.pass(60)
  expect(await story.status()).toMatchObject({ end: { state: 'done' } })
  await story.store.commit({ writes: [{ kind: 'provider', key: 'north', body }] })
  story.state('north', 'removing')
  await story.pass(60)
  expect(await story.store.get('provider', 'north')).toBeUndefined()
})
