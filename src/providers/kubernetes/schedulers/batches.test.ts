import { describe, expect, test } from 'vitest'
import { call } from '../../contract/bench.suite.ts'
import { batchesOn, KAI, KUEUE, NATIVE, VOLCANO, type FakeCluster } from './cluster.suite.ts'

const QUEUE = {
  kai: '/apis/scheduling.run.ai/v2/queues/default-queue',
  volcano: '/apis/scheduling.volcano.sh/v1beta1/queues/default',
  kueue: '/apis/kueue.x-k8s.io/v1beta2/namespaces/berth/localqueues/default',
}

async function used(cluster: FakeCluster, stated: Parameters<typeof batchesOn>[1] = {}): Promise<unknown> {
  const answer = await batchesOn(cluster, stated).batches.used(call())
  if (!answer.ok) return answer.fault
  return answer.value && [answer.value.scheduler.name, answer.value.queue]
}

describe('which scheduler is used', () => {
  test('none, where the cluster has none', async () => {
    expect(await used({ groups: { 'scheduling.k8s.io': { v1: ['priorityclasses'] } } })).toBeUndefined()
  })

  test.each([
    ['kai', KAI, 'default-queue'],
    ['volcano', VOLCANO, 'default'],
    ['kueue', KUEUE, 'default'],
  ] as const)('%s, where its usual queue is there', async (name, groups, queue) => {
    expect(await used({ groups, objects: { [QUEUE[name]]: {} } })).toEqual([name, queue])
  })

  test('one that is installed and has no queue for us is passed over', async () => {
    expect(await used({ groups: { ...KAI, ...KUEUE }, objects: { [QUEUE.kueue]: {} } })).toEqual(['kueue', 'default'])
  })

  test('gangs of Kubernetes itself, where it serves them and nothing else is there', async () => {
    expect(await used({ groups: { ...NATIVE, ...KAI } })).toEqual(['native', ''])
  })

  test('the one that has the queue which is named', async () => {
    const objects = { [QUEUE.kai]: {}, '/apis/scheduling.volcano.sh/v1beta1/queues/ml': {} }
    expect(await used({ groups: { ...KAI, ...VOLCANO }, objects }, { queue: 'ml' })).toEqual(['volcano', 'ml'])
  })

  test('none, if the settings say so', async () => {
    expect(await used({ groups: KAI, objects: { [QUEUE.kai]: {} } }, { scheduler: 'none' })).toBeUndefined()
  })
})

describe('settings that do not fit the cluster', () => {
  test('a queue that no scheduler has', async () => {
    const fault = await used({ groups: { ...KAI, ...NATIVE } }, { queue: 'ml' })
    expect(fault).toMatchObject({
      class: 'NO_MATCHING_SHAPE',
      scope: 'provider',
      message: expect.stringContaining('queue ml'),
    })
  })

  test('a scheduler that is not installed', async () => {
    const fault = await used({ groups: KAI }, { scheduler: 'volcano' })
    expect(fault).toMatchObject({ class: 'NO_MATCHING_SHAPE', message: expect.stringContaining('it has no Volcano') })
  })

  test('a named scheduler without the queue', async () => {
    const fault = await used({ groups: KAI }, { scheduler: 'kai', queue: 'ml' })
    expect(fault).toMatchObject({ class: 'NO_MATCHING_SHAPE', message: expect.stringContaining('KAI has no queue ml') })
  })
})

describe('queues that we may not read', () => {
  const shut = { groups: KAI, forbidden: [QUEUE.kai] }

  test('are believed to be there if the scheduler is named', async () => {
    expect(await used(shut, { scheduler: 'kai' })).toEqual(['kai', 'default-queue'])
  })

  test('are not used otherwise', async () => {
    expect(await used(shut)).toBeUndefined()
  })
})

test('what a cluster serves is asked once in a while, and not for each launch', async () => {
  const { batches, read } = batchesOn({ groups: KAI, objects: { [QUEUE.kai]: {} } })
  await batches.used(call())
  const first = read.length
  await batches.used(call())
  expect(read.slice(first)).toEqual([QUEUE.kai])
})
