import { describe, expect, test } from 'vitest'
import { NODES, orderOn } from '../objects/orders.suite.ts'
import { readPod } from '../read/pod.ts'
import { pod } from '../read/pods.suite.ts'
import { sweepableRays } from '../sweep.ts'
import { rayInstances } from './instances.ts'
import { stoppedAt, writeMembers } from './members.ts'
import { readRayJob, type SeenRayJob } from './read.ts'

const ORDERS = ['one', 'two'].map((attempt, rank) => {
  const order = orderOn(NODES.whole, { gpus: 8, nodes: 2 })
  return { ...order, tag: { ...order.tag, slot: `0.${rank}`, attempt } }
})
const CREATED = '2026-11-18T10:00:00Z'
const AROUND = { domain: 'berth.svc.cluster.local', lost: new Set<string>() }

function job(status: object, annotations: Readonly<Record<string, string>> = {}): SeenRayJob {
  const metadata = { name: 'berth-one', uid: 'u1', creationTimestamp: CREATED }
  const all = { ...writeMembers(ORDERS), ...annotations }
  const seen = readRayJob({ metadata: { ...metadata, annotations: all }, status })
  if (seen === undefined) throw new Error('it cannot be read')
  return seen
}

/** What its first node is said to be. */
function told(jobDeploymentStatus: string, rest: object = {}): unknown {
  const [{ instance: _instance, tag: _tag, usdPerHour: _usd, ...state } = {}] = rayInstances(
    job({ jobDeploymentStatus, ...rest }),
    [],
    AROUND,
  )
  return state
}

describe('what a RayJob says', () => {
  test.each([
    ['nothing yet', '', {}, { state: 'starting' }],
    ['its cluster comes up', 'Initializing', {}, { state: 'starting' }],
    ['Ray has it', 'Running', { jobStatus: 'PENDING' }, { state: 'starting' }],
    ['it runs', 'Running', { jobStatus: 'RUNNING' }, { state: 'up' }],
    ['a word of the API server instead of one of Ray', 'Running', { jobStatus: 'Failure' }, { state: 'starting' }],
    ['it is done', 'Complete', { jobStatus: 'SUCCEEDED' }, { state: 'ended', exit: { kind: 'code', code: 0 } }],
    [
      'it was stopped in Ray',
      'Complete',
      { jobStatus: 'STOPPED' },
      { state: 'ended', exit: { kind: 'signal', signal: 'SIGTERM' } },
    ],
    ['it was suspended', 'Suspended', {}, { state: 'ended', exit: { kind: 'preempted' } }],
    ['it is on its way out', 'Suspending', {}, { state: 'up' }],
    ['a state that is not known', 'Retired', {}, { state: 'unclear' }],
  ])('%s', (_, phase, status, state) => {
    expect(told(phase, status)).toEqual(state)
  })

  test.each([
    ['Job entrypoint command failed with exit code 3, last available logs', { kind: 'code', code: 3 }],
    ['Job entrypoint command failed with exit code -9, last available logs', { kind: 'signal', signal: 'SIGKILL' }],
    ['Job supervisor actor died: the node it was on has died', { kind: 'machine' }],
    ['runtime_env setup failed: no such package', { kind: 'start', why: 'runtime_env setup failed: no such package' }],
    ['something else', { kind: 'code', code: 1 }],
  ])('it failed: %s', (message, exit) => {
    expect(told('Failed', { jobStatus: 'FAILED', message })).toEqual({ state: 'ended', exit })
  })

  test('it took too long, or was never taken', () => {
    expect(told('Failed', { reason: 'DeadlineExceeded' })).toEqual({
      state: 'ended',
      exit: { kind: 'signal', signal: 'SIGTERM' },
    })
    expect(told('Failed', { reason: 'SubmissionFailed', message: 'no  head' })).toEqual({
      state: 'ended',
      exit: { kind: 'start', why: 'Ray did not take the command: no head' },
    })
  })

  test('each node is an instance, and an image that is not there is the manifest’s fault', () => {
    const waiting = { reason: 'ImagePullBackOff', message: 'x: not found' }
    const seen = readPod(
      pod({
        metadata: { labels: { 'ray.io/cluster': 'c', 'berth.dev/attempt': 'two' } },
        status: { phase: 'Pending', containerStatuses: [{ name: 'main', state: { waiting } }] },
      }),
      'main',
    )
    const pods = seen === undefined ? [] : [seen]
    const [first, second] = rayInstances(job({ jobDeploymentStatus: 'Initializing' }), pods, AROUND)
    expect(first).toMatchObject({ instance: 'berth-one', state: 'starting' })
    expect(second).toMatchObject({ instance: 'berth-one-r1', state: 'ended', exit: { kind: 'start' } })
  })
})

test('what is none of ours is not read', () => {
  expect(readRayJob({ metadata: { name: 'x', uid: 'y', annotations: {} } })).toBeUndefined()
  expect(readRayJob('nothing')).toBeUndefined()
})

test('a name is given up an hour after a stop, and a day after an end', () => {
  const hourMs = 3_600_000
  const createdMs = Date.parse(CREATED)
  const ended = job({ jobDeploymentStatus: 'Complete', endTime: CREATED })
  const stopped = job({ jobDeploymentStatus: 'Suspended' }, stoppedAt(createdMs))
  const runs = job({ jobDeploymentStatus: 'Running' })
  const all = [ended, stopped, runs]
  expect(sweepableRays(all, [], createdMs + hourMs - 1)).toEqual([])
  expect(sweepableRays(all, [], createdMs + hourMs)).toEqual([stopped])
  expect(sweepableRays(all, [], createdMs + 24 * hourMs)).toEqual([ended, stopped])
})
