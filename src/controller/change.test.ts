import { describe, expect, test } from 'vitest'
import type { Provider } from '../ports/provider.ts'
import { Story } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\nreplicas: 3\n'
const BAD = `${HEAD}command: [nosuchprog]\n`
const WHY = 'There is no program nosuchprog on this host.'

/** Three replicas that serve, at a provider that calls one program wrong. */
async function serving(more = ''): Promise<{ readonly story: Story }> {
  const story = new Story()
  story.cloud('north')
  const real = story.provider('north')
  const { name, kind, can, offers, describe: ask, stop, list } = real
  const launch: Provider['launch'] = async (order, call) =>
    order.command[0] === 'nosuchprog'
      ? { ok: false, fault: { class: 'BAD_REQUEST', message: WHY, scope: 'none' } }
      : real.launch(order, call)
  story.state('north', 'open', { name, kind, can, offers, describe: ask, stop, list, launch })
  story.controller('one')
  await story.apply(HEAD + more)
  await story.pass(10)
  return { story }
}

/** Fewest that were up at any second of so many. */
async function fewestUp(story: Story, seconds: number): Promise<number> {
  let fewest = Infinity
  for (let second = 0; second < seconds; second += 5) {
    await story.pass(5)
    const up = (await story.standing()).filter((text) => text.includes(' running ')).length
    fewest = Math.min(fewest, up)
  }
  return fewest
}

describe('a change that fails', () => {
  test('as refused takes nothing from what serves, for as long as it is left so; the old one again heals it', async () => {
    const { story } = await serving()
    const before = story.billed().map(({ id }) => id)
    await story.apply(BAD, { generation: 2 })
    expect(await fewestUp(story, 1200)).toBe(3)
    expect(await story.status()).toMatchObject({ stalled: { why: WHY, groups: ['0'] } })
    expect((await story.status())?.end).toBeUndefined()
    const left = story.billed().map(({ id }) => id)
    expect([left.length, left.every((id) => before.includes(id))]).toEqual([3, true])
    await story.apply(HEAD, { generation: 3 })
    await story.pass(15)
    expect((await story.standing()).filter((text) => text.includes(' running ')).length).toBe(3)
    expect(story.billed().map(({ id }) => id)).toEqual(expect.arrayContaining(left))
    expect((await story.status())?.stalled).toBeUndefined()
  })

  test('as a version that crashes, with restart.max, gives up that version and keeps what serves', async () => {
    const { story } = await serving('restart: { max: 1 }\n')
    await story.apply(`${HEAD}restart: { max: 1 }\nenv: { SIM_SECONDS: "1", SIM_EXIT: "1" }\n`, { generation: 2 })
    expect(await fewestUp(story, 1200)).toBe(3)
    expect(await story.status()).toMatchObject({ stalled: { why: 'exit code 1', groups: ['0'] } })
    expect(await story.kinds()).toContain('gave-up')
  })

  test('is tried again by a new leader no more than by the old one', async () => {
    const { story } = await serving('restart: { max: 1 }\n')
    await story.apply(`${HEAD}restart: { max: 1 }\nenv: { SIM_SECONDS: "1", SIM_EXIT: "1" }\n`, { generation: 2 })
    await story.pass(300)
    const epochs = async () => (await story.standing()).concat(String((await story.events()).length))
    const before = await epochs()
    story.controller('second')
    await story.pass(600)
    expect(await epochs()).toEqual(before)
    expect(story.billed()).toHaveLength(3)
  })
})

describe('a change of what is needed', () => {
  const need = (more: string): string =>
    `berth: v1\nname: demo\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 1, ${more} } }\n`

  test('that the running replica already meets replaces nothing', async () => {
    const story = new Story()
    story.cloud('north')
    story.controller('one')
    await story.apply(need('min_vram: 16Gi'))
    await story.pass(10)
    const before = await story.placement()
    await story.apply(need('min_vram: 20Gi'), { generation: 2 })
    await story.pass(30)
    const after = await story.placement()
    expect([after?.order.tag.attempt, after?.phase]).toEqual([before?.order.tag.attempt, 'running'])
    expect(after?.shape).not.toBe(before?.shape)
    expect(await story.kinds()).not.toContain('stopping')
  })

  test('that it does not meet, or that changes what runs, replaces it', async () => {
    const story = new Story()
    story.cloud('north')
    story.controller('one')
    await story.apply(need('min_vram: 16Gi'))
    await story.pass(10)
    await story.apply(`${need('min_vram: 20Gi')}env: { A: b }\n`, { generation: 2 })
    await story.pass(30)
    expect((await story.placement())?.order).toMatchObject({ env: { A: 'b' }, tag: { epoch: 2 } })
    await story.apply(`${need('min_vram: 4000Gi')}env: { A: b }\n`, { generation: 3 })
    await story.pass(30)
    // There is no such machine: what serves goes on serving.
    expect(await story.placement()).toMatchObject({ phase: 'running', order: { tag: { epoch: 2 } } })
  })
})

test('the quota that a replaced replica leaves is there for its successor, whatever else waits for it', async () => {
  const story = new Story()
  story.cloud('north')
  // Slow enough for the others to look while the end of the old one is being written.
  story.between = (store) => ({
    ...store,
    commit: async (commit) => {
      await story.loop.sleep(50)
      return store.commit(commit)
    },
  })
  const limits = { gpusMax: 1, usdPerHourMax: undefined, workloadsMax: undefined }
  await story.store.commit({ writes: [{ kind: 'project', key: 'default', body: limits }] })
  story.controller('one')
  const text = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'
  await story.apply(text, { uid: 'z-last' })
  await story.pass(10)
  for (const name of ['a', 'b', 'c']) await story.apply(text, { name, uid: `a-${name}` })
  await story.pass(10)
  for (let generation = 2; generation < 6; generation++) {
    await story.apply(`${text}env: { EDITION: "${generation}" }\n`, { uid: 'z-last', generation })
    await story.pass(60)
    expect(await story.placement()).toMatchObject({ phase: 'running', order: { env: { EDITION: `${generation}` } } })
  }
  expect(story.billed()).toHaveLength(1)
})
