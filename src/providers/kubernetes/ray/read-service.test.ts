import { describe, expect, test } from 'vitest'
import type { Instance } from '../../../core/life/call/instance.ts'
import { FINALIZER, PORTS_ANNOTATION } from '../names.ts'
import { NODES, orderOn } from '../objects/orders.suite.ts'
import { readPod, type SeenPod } from '../read/pod.ts'
import { DELETED, pod, waiting } from '../read/pods.suite.ts'
import { sweepableRays } from '../sweep.ts'
import { rayInstances } from './instances.ts'
import { writeMembers } from './members.ts'
import { readRayService, type SeenRayService } from './read-service.ts'

const ORDERS = ['one', 'two'].map((attempt, rank) => {
  const order = orderOn(NODES.whole, { gpus: 8, nodes: 2 })
  return { ...order, tag: { ...order.tag, slot: `0.${rank}`, attempt } }
})
const DELETED_AT = '2026-11-18T10:00:00Z'
const KUBERAY = 'ray.io/rayservice-finalizer'
const AROUND = { domain: 'berth.svc.cluster.local', lost: new Set<string>() }

interface Told {
  readonly status?: object
  readonly metadata?: object
}

function service({ status = {}, metadata = {} }: Told): SeenRayService {
  const own = { name: 'berth-one', uid: 'u1', annotations: writeMembers(ORDERS), finalizers: [FINALIZER], ...metadata }
  const seen = readRayService({ metadata: own, status })
  if (seen === undefined) throw new Error('it cannot be read')
  return seen
}

/** What KubeRay and Ray Serve say. */
function told(ready: readonly [status: string, reason: string], app: object | undefined, where = 'active'): object {
  const applicationStatuses = { ...(app !== undefined && { 'berth-one': app }), another: { status: 'RUNNING' } }
  return {
    conditions: [{ type: 'Ready', status: ready[0], reason: ready[1], message: 'no good' }],
    [`${where}ServiceStatus`]: { rayClusterName: 'berth-one-abcde', applicationStatuses },
  }
}

function podOf(attempt: string, more: Parameters<typeof pod>[0] = {}): SeenPod {
  const metadata = {
    labels: { 'ray.io/cluster': 'c', 'berth.dev/attempt': attempt },
    annotations: { [PORTS_ANNOTATION]: 'http=8080' },
    ...more.metadata,
  }
  const seen = readPod(pod({ ...more, metadata }), 'main')
  if (seen === undefined) throw new Error('it cannot be read')
  return seen
}

const PODS = [podOf('one'), podOf('two')]

function states(seen: SeenRayService, pods: readonly SeenPod[] = PODS): readonly Partial<Instance>[] {
  return rayInstances(seen, pods, AROUND).map(({ instance: _instance, tag: _tag, usdPerHour: _usd, ...state }) => state)
}

const READY = ['True', 'NonZeroServeEndpoints'] as const
const COMING = ['False', 'Initializing'] as const
const SILENT = ['False', 'ZeroServeEndpoints'] as const
const PORTS = { http: { host: 'berth-one.berth.svc.cluster.local', port: 8080, tls: false } }

describe('what a RayService says', () => {
  test('it answers: both nodes are well, and the head has the address', () => {
    expect(states(service({ status: told(READY, { status: 'RUNNING' }) }))).toEqual([
      { state: 'up', healthy: true, ports: PORTS },
      { state: 'up', healthy: true },
    ])
  })

  test('nobody calls it before it has answered, and a node that does not run yet still starts', () => {
    const deploying = service({ status: told(COMING, { status: 'DEPLOYING' }, 'pending') })
    const late = podOf('two', { status: waiting('ContainerCreating') })
    expect(states(deploying, [podOf('one'), late])).toEqual([{ state: 'up', healthy: false }, { state: 'starting' }])
    expect(states(service({ status: told(SILENT, { status: 'RUNNING' }) }))[0]).toHaveProperty('ports')
  })

  test.each([
    ['nothing yet', {}, { state: 'starting' }],
    ['its cluster comes up', told(COMING, undefined, 'pending'), { state: 'starting' }],
    ['it is deployed', told(COMING, { status: 'DEPLOYING' }, 'pending'), { state: 'up', healthy: false }],
    ['another application runs, and ours does not yet', told(READY, undefined), { state: 'up', healthy: false }],
    ['it is not well', told(READY, { status: 'UNHEALTHY' }), { state: 'up', healthy: false }],
    ['nothing answers any more', told(SILENT, { status: 'RUNNING' }), { state: 'up', healthy: false }],
    [
      'KubeRay finds it wrong',
      told(['False', 'ValidationFailed'], undefined),
      { state: 'ended', exit: { kind: 'start', why: 'KubeRay did not take it: no good' } },
    ],
  ])('%s', (_, status, state) => {
    expect(states(service({ status }))[1]).toEqual(state)
  })

  test.each([
    [
      'the application cannot be imported',
      {
        message:
          "Deploying failed:\nTraceback (most recent call last):\n  ...\nModuleNotFoundError: No module named 'x'\n",
      },
      "ModuleNotFoundError: No module named 'x'",
    ],
    [
      'a deployment does not start',
      {
        message: "The deployments ['Model'] are UNHEALTHY.",
        serveDeploymentStatuses: {
          Other: { status: 'HEALTHY', message: 'fine' },
          Model: {
            status: 'DEPLOY_FAILED',
            message: 'It failed 3 times.\n\u001B[36mray::init()\u001B[39m\nRuntimeError: out of luck',
          },
        },
      },
      'RuntimeError: out of luck',
    ],
    ['nobody says why', {}, 'it does not say why'],
  ])('it failed: %s', (_, app, why) => {
    const status = told(COMING, { status: 'DEPLOY_FAILED', ...app }, 'pending')
    const exit = { kind: 'start', why: `Ray Serve could not deploy it: ${why}` }
    expect(states(service({ status }))).toEqual([
      { state: 'ended', exit },
      { state: 'ended', exit },
    ])
  })

  test('an image that is not there is the manifest’s fault, and a lost node proves nothing', () => {
    const stuck = podOf('two', { status: waiting('ImagePullBackOff', 'x: not found') })
    expect(states(service({}), [PODS[0] ?? stuck, stuck])).toMatchObject([
      { state: 'starting' },
      { state: 'ended', exit: { kind: 'start' } },
    ])
    const seen = service({ status: told(SILENT, { status: 'RUNNING' }) })
    const lost = { ...AROUND, lost: new Set(['gpu-a']) }
    expect(rayInstances(seen, PODS, lost).map(({ state }) => state)).toEqual(['unclear', 'unclear'])
  })

  test('a pod that KubeRay has made anew counts, and not the one that died', () => {
    const seen = service({ status: told(COMING, undefined) })
    const died = podOf('one', { status: { phase: 'Failed' } })
    const anew = podOf('one', { status: waiting('ImagePullBackOff', 'x: not found') })
    expect(states(seen, [died, anew])[0]).toMatchObject({ state: 'ended', exit: { kind: 'start' } })
  })
})

describe('its end', () => {
  const status = told(READY, { status: 'RUNNING' })
  const deletedMs = Date.parse(DELETED_AT)
  const going = { deletionTimestamp: DELETED_AT, finalizers: [FINALIZER, KUBERAY] }
  const released = { deletionTimestamp: DELETED_AT, finalizers: [FINALIZER] }

  test('it runs until its cluster and its pods are gone', () => {
    expect(states(service({ status, metadata: going }), [])).toMatchObject([
      { state: 'up', endsAtMs: deletedMs },
      { state: 'up', endsAtMs: deletedMs },
    ])
    expect(states(service({ status, metadata: released }))).toMatchObject([{ state: 'up' }, { state: 'up' }])
    expect(states(service({ status, metadata: released }), [])).toEqual([
      { state: 'ended', exit: { kind: 'preempted' } },
      { state: 'ended', exit: { kind: 'preempted' } },
    ])
  })

  test('what failed is not over before that either', () => {
    const failed = service({ status: told(COMING, { status: 'DEPLOY_FAILED' }, 'pending'), metadata: going })
    expect(states(failed, [])[0]).toEqual({ state: 'starting', endsAtMs: deletedMs })
  })

  test('its name is given up an hour later, and after a minute if KubeRay does nothing', () => {
    const hourMs = 3_600_000
    const all = [service({ status, metadata: released })]
    expect(sweepableRays(all, [], deletedMs + hourMs - 1)).toEqual([])
    expect(sweepableRays(all, [], deletedMs + hourMs)).toEqual(all)
    expect(sweepableRays(all, PODS, deletedMs + 59_999)).toEqual([])
    expect(sweepableRays(all, PODS, deletedMs + 60_000)).toEqual(all)
    const leaving = ['one', 'two'].map((attempt) =>
      podOf(attempt, { metadata: { ...DELETED, labels: PODS[0]?.labels } }),
    )
    expect(sweepableRays(all, leaving, deletedMs + 60_000)).toEqual([])
    expect(sweepableRays([service({ status, metadata: going })], PODS, deletedMs + hourMs)).toEqual([])
    expect(sweepableRays([service({ status })], PODS, deletedMs + hourMs)).toEqual([])
  })
})

test('what is none of ours is not read', () => {
  expect(readRayService({ metadata: { name: 'x', uid: 'y', annotations: {} } })).toBeUndefined()
})
