import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { UserError } from '../core/base/problem.ts'
import { manifestNamed, world, type World } from '../server/server.suite.ts'
import type { Berth } from '../ports/berth.ts'
import { Secret } from '../ports/secret.ts'
import { httpBerth } from './client.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function client(one: World): Promise<Berth> {
  closing.push(() => one.app.close())
  const url = await one.app.listen({ host: '127.0.0.1', port: 0 })
  const timers = { sleep: (ms: number) => wait(Math.min(ms, 20)) }
  const random = { next: () => 0.5, id: () => crypto.randomUUID().replaceAll('-', '') }
  return httpBerth({ fetch, timers, random, url, token: new Secret(await one.token('admin', ['*'])) })
}

/** A control plane that has one of each. */
async function furnished(): Promise<Berth> {
  const berth = await client(world())
  await berth.apply({ project: 'default', text: manifestNamed('hello'), file: 'h.yaml', idempotencyKey: 'k' })
  await berth.addProvider({ name: 'toy-cloud', kind: 'sim', settings: {} })
  await berth.setSecret({ project: 'default', name: 'HF_TOKEN', value: 'long enough' })
  await berth.setPolicy({ name: 'frugal', settings: { objective: 'cheapest' } })
  await berth.pushTemplate({ project: 'default', name: 'vllm-chat', text: manifestNamed('chat') })
  return berth
}

async function hintOf(doing: Promise<unknown>): Promise<string | undefined> {
  const error = await doing.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  return error instanceof UserError ? error.problems[0]?.hint : undefined
}

describe('a name that does not exist', () => {
  test('gets the one that was meant, whatever it is the name of', async () => {
    const berth = await furnished()
    const helo = { project: 'default', name: 'helo' }
    const request = { project: 'default', version: undefined, name: undefined, set: {}, idempotencyKey: 'l' }
    const doings = {
      workload: berth.workload(helo),
      manifest: berth.manifest(helo),
      explain: berth.explain(helo),
      scale: berth.scale({ ...helo, role: undefined, replicas: 1 }),
      stop: berth.stop(helo),
      remove: berth.remove(helo),
      testProvider: berth.testProvider({ name: 'toycloud' }),
      setProvider: berth.setProvider({ name: 'toycloud', state: 'draining' }),
      removeProvider: berth.removeProvider({ name: 'toycloud' }),
      removePolicy: berth.removePolicy({ name: 'frugle' }),
      removeSecret: berth.removeSecret({ project: 'default', name: 'HF_TOKN' }),
      removeToken: berth.removeToken({ name: 'admim-1' }),
      template: berth.template({ project: 'default', name: 'vlm-chat' }),
      removeTemplate: berth.removeTemplate({ project: 'default', name: 'vlm-chat' }),
      launch: berth.launch({ ...request, template: 'vlm-chat' }),
    }
    const hints = await Promise.all(Object.entries(doings).map(async ([name, doing]) => [name, await hintOf(doing)]))
    const likely = { w: 'Did you mean hello?', p: 'Did you mean toy-cloud?', t: 'Did you mean vllm-chat?' }
    expect(Object.fromEntries(hints)).toEqual({
      workload: likely.w,
      manifest: likely.w,
      explain: likely.w,
      scale: likely.w,
      stop: likely.w,
      remove: likely.w,
      testProvider: likely.p,
      setProvider: likely.p,
      removeProvider: likely.p,
      removePolicy: 'Did you mean frugal?',
      removeSecret: 'Did you mean HF_TOKEN?',
      removeToken: 'Did you mean admin-1?',
      template: likely.t,
      removeTemplate: likely.t,
      launch: likely.t,
    })
  })

  test('and is near to nothing gets no guess, but the names that there are', async () => {
    const berth = await furnished()
    expect(await hintOf(berth.workload({ project: 'default', name: 'zebra' }))).toBe('These exist: hello')
    expect(await hintOf(berth.testProvider({ name: 'zebra' }))).toBe('These exist: toy-cloud')
    expect(await hintOf(berth.workload({ project: 'other', name: 'helo' }))).toBeUndefined()
  })
})
