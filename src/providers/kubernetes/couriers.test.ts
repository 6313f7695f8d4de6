import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../contract/bench.suite.ts'
import type { KubeClient, KubeRequest } from './api/client.ts'
import { Couriers } from './couriers.ts'
import { FETCH, KEEP, MAIN } from './names.ts'
import { Pods } from './pods.ts'
import { instanceOf } from './read/instance.ts'
import { readPod, type SeenPod } from './read/pod.ts'
import { container, DELETED, pod, terminated, waiting } from './read/pods.suite.ts'

const CHECKPOINT = 1_795_030_000
const SPEC = { initContainers: [{ name: FETCH }, { name: KEEP }] }

function kept(keep: object, status: Readonly<Record<string, unknown>> = {}, metadata = {}): SeenPod {
  const done = { name: FETCH, state: { terminated: { exitCode: 0 } } }
  const told = { initContainerStatuses: [done, { name: KEEP, ready: true, state: keep }], ...status }
  const seen = readPod(pod({ spec: SPEC, status: told, metadata }), MAIN)
  if (seen === undefined) throw new Error('it is no pod')
  return seen
}

function told(seen: SeenPod): object {
  const around = { domain: 'd', lost: new Set<string>(), queued: new Map(), checkpoints: new Map() }
  const { state, exit, checkpointMs } = instanceOf(seen, around) ?? {}
  return { state, exit, checkpointMs }
}

const ended = (exitCode: number, message = ''): object => ({ terminated: { exitCode, message } })
const OVER = { phase: 'Succeeded', containerStatuses: terminated({ exitCode: 0 }) }

describe('a pod whose results are saved', () => {
  const CODE = { kind: 'code', code: 0 }
  const FAILED = { phase: 'Failed', containerStatuses: terminated({ exitCode: 3 }) }
  const SAVING = { containerStatuses: terminated({ exitCode: 0 }) }

  test.each([
    ['runs', kept({ running: {} }), 'up', undefined],
    ['is up until the rest is saved', kept({ running: {} }, SAVING), 'up', undefined],
    ['and its node says that it is over before that', kept({ running: {} }, OVER), 'up', undefined],
    ['has ended, and all is saved', kept(ended(0), OVER), 'ended', CODE],
    [
      'has ended, and the rest could not be saved',
      kept(ended(74, 'checkpoint 1\ns3://b could not be written: x\n'), OVER),
      'ended',
      { kind: 'storage', why: 's3://b could not be written: x' },
    ],
    [
      'has ended well, and its courier was killed',
      kept(ended(137), OVER),
      'ended',
      { kind: 'storage', why: expect.stringContaining('before everything was saved') },
    ],
    ['has failed, and its courier was killed', kept(ended(137), FAILED), 'ended', { kind: 'code', code: 3 }],
    [
      'is gone with its node',
      kept({ running: {} }, SAVING, { ...DELETED, deletionGracePeriodSeconds: 0 }),
      'ended',
      { kind: 'preempted' },
    ],
  ] as const)('%s', (_, seen, state, exit) => {
    expect(told(seen)).toMatchObject({ state, exit })
  })

  test('data that cannot be fetched is the cause', () => {
    const message = 's3://b could not be fetched: access was denied; check the secret\n'
    const failed = { name: FETCH, state: { terminated: { exitCode: 74, message } } }
    const status = { phase: 'Failed', containerStatuses: [], initContainerStatuses: [failed] }
    const seen = readPod(pod({ spec: SPEC, status }), MAIN)
    expect(seen && told(seen)).toMatchObject({ state: 'ended', exit: { kind: 'storage', why: message.trim() } })
  })

  test('an image of the courier that does not exist is the fault of a setting', () => {
    const wait = { waiting: { reason: 'ErrImagePull', message: 'manifest unknown' } }
    const status = { ...waiting('PodInitializing'), initContainerStatuses: [{ name: FETCH, state: wait }] }
    const seen = readPod(pod({ spec: SPEC, status }), MAIN)
    expect(seen && told(seen)).toMatchObject({
      exit: { kind: 'start', why: expect.stringContaining('setting storage_image') },
    })
  })

  test('the last words of a courier say when the newest checkpoint was saved', () => {
    expect(told(kept(ended(0, `checkpoint ${CHECKPOINT}\n`), OVER))).toMatchObject({ checkpointMs: CHECKPOINT * 1000 })
  })
})

describe('couriers of running pods', () => {
  const asked: string[] = []
  let log = ''
  let isForbidden = false
  let nowMs = 0
  let couriers: Couriers

  beforeEach(() => {
    asked.splice(0)
    log = `berth: fetching s3://b\nberth: checkpoint 5\nberth: checkpoint ${CHECKPOINT}\n`
    isForbidden = false
    nowMs = 0
    const refused = { ok: false, status: 403, reason: 'Forbidden', fault: { class: 'AUTH', message: '' } }
    const note = ({ method, path, query = {}, body }: KubeRequest): void => {
      const words = [method, path.split('/').slice(5).join('/'), query['container'], query['command'], body]
      asked.push(JSON.stringify(words.filter((word) => word !== undefined)))
    }
    // Only these are used: a log that is read, a program that cannot be started here, and a pod that is removed.
    const client = {
      stream: async (request: KubeRequest) => {
        note(request)
        return isForbidden ? refused : { ok: true, stream: Readable.from([Buffer.from(log)]) }
      },
      upgrade: async (request: KubeRequest) => {
        note(request)
        return refused
      },
      call: async (request: KubeRequest) => {
        note(request)
        return { ok: true, value: pod() }
      },
    } as unknown as KubeClient
    couriers = new Couriers({ client, namespace: 'n', pods: new Pods(client, 'n'), tickMs: () => nowMs })
  })

  test('the newest checkpoint is read from the log, and not at every look', async () => {
    const running = kept({ running: {} })
    expect(await couriers.attend([running], call())).toEqual(new Map([['berth-a1', CHECKPOINT * 1000]]))
    nowMs += 5000
    await couriers.attend([running], call())
    expect(asked).toEqual([JSON.stringify(['GET', 'pods/berth-a1/log', KEEP])])
    nowMs += 6000
    isForbidden = true
    expect(await couriers.attend([running], call())).toEqual(new Map([['berth-a1', CHECKPOINT * 1000]]))
    expect(asked).toHaveLength(2)
  })

  test('nothing is asked about pods that save nothing, or are over', async () => {
    const plain = readPod(pod(), MAIN)
    const over = kept(ended(0), OVER)
    expect(await couriers.attend(plain === undefined ? [over] : [plain, over], call())).toEqual(new Map())
    expect(asked).toEqual([])
  })

  test('how the program ended is told until it was heard', async () => {
    const saving = kept({ running: {} }, { containerStatuses: [container({ terminated: { exitCode: 3 } })] })
    await couriers.attend([saving], call())
    await couriers.attend([saving], call())
    const told = asked.filter((each) => each.includes('/exec'))
    expect(told).toHaveLength(2)
    expect(told[0]).toMatch(/"berth-keep",\["\/bin\/sh","-c",.*"3","\/berth\/work\/state\/code"\]/)
  })

  test('a program whose results cannot be saved any more is stopped, with a limit', async () => {
    log += 'berth: lost s3://b could not be written: x\n'
    await couriers.attend([kept({ running: {} })], call())
    expect(asked.at(-1)).toMatch(/^\["DELETE","pods\/berth-a1",.*"gracePeriodSeconds":60/)
    asked.splice(0)
    nowMs += 20_000
    await couriers.attend([kept({ running: {} }, {}, DELETED)], call())
    expect(asked.filter((each) => each.includes('DELETE'))).toEqual([])
  })
})
