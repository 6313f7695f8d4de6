import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '../../../core/base/laws.suite.ts'
import { readInstance } from '../../../core/life/call/check-reply.ts'
import { MAIN, PORTS_ANNOTATION, QUEUE_ANNOTATION, TAG_ANNOTATION, writeTag } from '../names.ts'
import { instanceOf, type PodAround } from './instance.ts'
import { readPod } from './pod.ts'
import { container, DELETED, disrupted, PINNED, pod, TAG, terminated, unbound, waiting } from './pods.suite.ts'
import { unschedulable } from './waiting.ts'

const AROUND: PodAround = { domain: 'berth.svc.cluster.local', queued: new Map(), lost: new Set() }

function told(value: unknown, around: Partial<PodAround> = {}): object {
  const seen = readPod(value, MAIN)
  if (seen === undefined) throw new Error('it is no pod')
  const { instance, tag, usdPerHour, ...rest } = instanceOf(seen, { ...AROUND, ...around }) ?? {}
  expect([instance, tag, usdPerHour]).toEqual(['berth-a1', TAG, 0])
  return rest
}

describe('a pod that is on its way', () => {
  test.each([
    ['has not been looked at', pod({ spec: { nodeName: undefined }, status: { phase: 'Pending' } }), 'starting'],
    ['has its node and nothing else', pod({ status: { phase: 'Pending', containerStatuses: [] } }), 'starting'],
    ['fetches its image', pod({ status: waiting('ContainerCreating') }), 'starting'],
    [
      'waits for its secret',
      pod({ status: waiting('CreateContainerConfigError', 'secret "x" not found') }),
      'starting',
    ],
    ['has a slow registry', pod({ status: waiting('ErrImagePull', 'dial tcp: i/o timeout') }), 'starting'],
    ['has a busy registry', pod({ status: waiting('ImagePullBackOff', '429 Too Many Requests') }), 'starting'],
    ['is bound to a full node', pod({ ...unbound('Unschedulable', 'Insufficient cpu'), spec: PINNED }), 'starting'],
    ['is in a phase of the future', pod({ status: { phase: 'Dreaming' } }), 'unclear'],
    ['has no status at all', { metadata: { name: 'berth-a1', uid: 'u', annotations: tagged() }, spec: {} }, 'unclear'],
    ['runs, and its container does not yet', pod({ status: { containerStatuses: [] } }), 'starting'],
  ])('%s', (_, value, state) => {
    expect(told(value)).toEqual({ state })
  })

  test.each([
    ['Unschedulable', '0/5 nodes are available: 5 Insufficient nvidia.com/gpu.'],
    ['SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'],
  ])('that the cluster may place anywhere waits with the words of %s', (reason, message) => {
    expect(told(pod(unbound(reason, message)))).toEqual({ state: 'queued', reason: message })
  })

  test('that is gated waits, even if it is bound to one node', () => {
    const gated = unbound('SchedulingGated', '')
    expect(told(pod({ ...gated, spec: { ...gated.spec, ...PINNED } }))).toEqual({
      state: 'queued',
      reason: 'SchedulingGated',
    })
  })
})

describe('a pod that can never start says what to change', () => {
  test.each([
    ['ImagePullBackOff', 'docker.io/acme/vllm:1: not found', /^image: acme\/vllm:1 does not exist .* manifest/],
    ['ErrImagePull', 'manifest unknown', /^image: acme\/vllm:1 does not exist/],
    ['ErrImagePull', 'no match for platform in manifest', /processor of the node/],
    ['ImagePullBackOff', 'pull access denied, repository does not exist or may require', /does not exist/],
    ['ErrImagePull', '401 Unauthorized', /pull_secrets/],
    ['InvalidImageName', '', /is not the name of an image/],
    ['CreateContainerConfigError', 'container has runAsNonRoot and image will run as root', /security: baseline/],
    ['RunContainerError', 'exec: "vllm": not found in $PATH', /could not be started: exec/],
  ])('%s: %s', (reason, message, why) => {
    expect(told(pod({ status: waiting(reason, message) }))).toEqual({
      state: 'ended',
      exit: { kind: 'start', why: expect.stringMatching(why) },
    })
  })
})

describe('a pod in the queue of a batch scheduler', () => {
  const metadata = { annotations: { ...tagged(), [QUEUE_ANNOTATION]: 'ml' } }
  const seen = (reason: string, message: string, spec = {}) => {
    const { spec: free, status } = unbound(reason, message)
    return pod({ metadata, spec: { ...free, ...spec }, status })
  }

  test('waits for its turn until the scheduler says something, and is not late', () => {
    const queued = { state: 'queued', reason: 'queue ml: it waits for its turn' }
    expect(told(pod({ metadata, spec: { nodeName: '' }, status: { phase: 'Pending' } }))).toEqual(queued)
    expect(told(seen('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'))).toEqual(queued)
  })

  test('waits for what the scheduler wrote on it, pinned or not', () => {
    const queued = { state: 'queued', reason: 'queue ml: ml quota has reached the limit' }
    expect(told(seen('Unschedulable', 'ml quota has reached the limit'))).toEqual(queued)
    expect(told(seen('Unschedulable', 'ml quota has reached the limit', PINNED))).toEqual(queued)
  })

  test('waits for what its queue says, where that is written elsewhere', () => {
    const around = { queued: new Map([['berth-a1', '8 more needed']]) }
    expect(told(seen('SchedulingGated', 'blocked'), around)).toEqual({
      state: 'queued',
      reason: 'queue ml: 8 more needed',
    })
  })

  test('starts once it has a node', () => {
    expect(told(pod({ metadata, status: { phase: 'Pending', containerStatuses: [] } }))).toEqual({ state: 'starting' })
  })
})

describe('a pod that runs', () => {
  test('is up, and has no health without a path', () => {
    expect(told(pod())).toEqual({ state: 'up' })
  })

  test.each([true, false])('has the health that its probe finds: %s', (ready) => {
    const spec = { containers: [{ name: MAIN, image: 'a', readinessProbe: { httpGet: {} } }] }
    const status = { containerStatuses: [container({ running: {} }, { ready })] }
    expect(told(pod({ spec, status }))).toEqual({ state: 'up', healthy: ready })
  })

  test('has the addresses of its service', () => {
    const annotations = { ...tagged(), [PORTS_ANNOTATION]: 'http=8000,metrics=9000' }
    const address = (port: number): object => ({ host: 'berth-a1.berth.svc.cluster.local', port, tls: false })
    expect(told(pod({ metadata: { annotations } }))).toMatchObject({
      ports: { http: address(8000), metrics: address(9000) },
    })
  })

  test('says when it will be taken away', () => {
    expect(told(pod({ metadata: DELETED }))).toEqual({ state: 'up', endsAtMs: Date.parse('2026-11-17T10:30:30Z') })
  })

  test('on a node that is out of reach may run or not', () => {
    expect(told(pod(), { lost: new Set(['gpu-a']) })).toEqual({ state: 'unclear' })
    expect(told(pod({ metadata: DELETED }), { lost: new Set(['gpu-a']) })).toEqual({ state: 'unclear' })
    expect(told(pod(), { lost: new Set(['gpu-b']) })).toEqual({ state: 'up' })
  })
})

describe('a pod that has ended', () => {
  const OOM = { kind: 'out-of-memory' }
  const PREEMPTED = { kind: 'preempted' }
  const MACHINE = { kind: 'machine' }
  test.each([
    ['by itself', { phase: 'Succeeded', containerStatuses: terminated({ exitCode: 0 }) }, { kind: 'code', code: 0 }],
    ['with a code', { phase: 'Failed', containerStatuses: terminated({ exitCode: 3 }) }, { kind: 'code', code: 3 }],
    [
      'by a signal',
      { phase: 'Failed', containerStatuses: terminated({ signal: 11 }) },
      { kind: 'signal', signal: 'SIGSEGV' },
    ],
    ['for its memory', { phase: 'Failed', containerStatuses: terminated({ exitCode: 137, reason: 'OOMKilled' }) }, OOM],
    [
      'for its memory with code 0',
      { phase: 'Succeeded', containerStatuses: terminated({ exitCode: 0, reason: 'OOMKilled' }) },
      OOM,
    ],
    [
      'beside another container',
      { phase: 'Running', containerStatuses: terminated({ exitCode: 2 }) },
      { kind: 'code', code: 2 },
    ],
    ['without any trace', { phase: 'Failed', containerStatuses: [] }, undefined],
    ['well, without any trace', { phase: 'Succeeded', containerStatuses: [] }, { kind: 'code', code: 0 }],
    [
      'before it began',
      { phase: 'Failed', containerStatuses: terminated({ exitCode: 128, reason: 'StartError' }) },
      { kind: 'start', why: expect.stringContaining('acme/vllm:1') },
    ],
    [
      'on a node that lost track of it',
      { phase: 'Failed', containerStatuses: terminated({ exitCode: 137, reason: 'ContainerStatusUnknown' }) },
      MACHINE,
    ],
    ['refused by its node', { phase: 'Failed', reason: 'OutOfcpu', containerStatuses: [] }, MACHINE],
    ['refused for its cards', { phase: 'Failed', reason: 'UnexpectedAdmissionError', containerStatuses: [] }, MACHINE],
    [
      'evicted by a node short of memory',
      { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
      PREEMPTED,
    ],
    [
      'evicted for its own use of disk',
      { phase: 'Failed', reason: 'Evicted', message: 'Usage of EmptyDir volume "data-0" exceeds the limit "1Gi".' },
      { kind: 'signal', signal: 'SIGKILL' },
    ],
    ['with its node', { phase: 'Failed', reason: 'NodeLost' }, MACHINE],
    [
      'when its node was shut down',
      { phase: 'Failed', reason: 'Terminated', message: 'imminent node shutdown' },
      MACHINE,
    ],
    [
      'preempted',
      { phase: 'Failed', ...disrupted('PreemptionByScheduler'), containerStatuses: terminated({ exitCode: 143 }) },
      PREEMPTED,
    ],
    [
      'drained',
      { phase: 'Succeeded', ...disrupted('EvictionByEvictionAPI'), containerStatuses: terminated({ exitCode: 0 }) },
      PREEMPTED,
    ],
    ['by a disruption of the future', { phase: 'Failed', ...disrupted('Whatever') }, PREEMPTED],
    ['with a node that was deleted', { phase: 'Failed', ...disrupted('DeletionByPodGC') }, MACHINE],
    [
      'before the drain came',
      {
        phase: 'Succeeded',
        ...disrupted('EvictionByEvictionAPI'),
        containerStatuses: terminated({ exitCode: 0, finishedAt: '2026-11-17T09:00:00Z' }),
      },
      { kind: 'code', code: 0 },
    ],
    [
      'in its preparation',
      {
        phase: 'Failed',
        containerStatuses: [],
        initContainerStatuses: [{ name: 'mesh', state: { terminated: { exitCode: 1, message: 'no' } } }],
      },
      { kind: 'start', why: expect.stringContaining('mesh') },
    ],
    [
      'after its time',
      {
        phase: 'Failed',
        reason: 'DeadlineExceeded',
        containerStatuses: terminated({ exitCode: 143, reason: 'DeadlineExceeded' }),
      },
      { kind: 'signal', signal: 'SIGTERM' },
    ],
  ] as const)('%s', (_, status, exit) => {
    expect(told(pod({ status }))).toEqual({ state: 'ended', ...(exit && { exit }) })
  })

  test('was deleted by somebody, and its node confirmed that', () => {
    const metadata = { ...DELETED, deletionGracePeriodSeconds: 0 }
    expect(told(pod({ metadata }))).toEqual({ state: 'ended', exit: PREEMPTED })
    const status = { phase: 'Succeeded', containerStatuses: terminated({ exitCode: 0 }) }
    expect(told(pod({ metadata: DELETED, status }))).toEqual({ state: 'ended', exit: PREEMPTED })
  })

  test('was deleted before it had a node', () => {
    const { spec, status } = unbound('Unschedulable', 'Insufficient cpu')
    expect(told(pod({ metadata: DELETED, spec, status }))).toEqual({ state: 'ended', exit: PREEMPTED })
  })
})

describe('what the scheduler refuses', () => {
  test.each([
    ['0/5 nodes are available: 5 Insufficient nvidia.com/gpu. preemption: 0/5 nodes are available', 'SOLD_OUT'],
    ['0/1 nodes are available: 1 Too many pods.', 'SOLD_OUT'],
    ["0/5 nodes are available: 5 node(s) didn't match Pod's node affinity/selector.", 'OFFER_GONE'],
    ['0/1 nodes are available: 1 node(s) were unschedulable.', 'SOLD_OUT'],
    ['0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 ...', 'SOLD_OUT'],
    ['0/2 nodes are available: request cards: device class gpu.nvidia.com does not exist.', 'NO_MATCHING_SHAPE'],
    ['0/1 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.', 'SOLD_OUT'],
    ['0/1 nodes are available: 1 node(s) had untolerated taint(s).', 'NO_MATCHING_SHAPE'],
    ['0/1 nodes are available: 1 node(s) had untolerated taint {team: a}.', 'NO_MATCHING_SHAPE'],
    ['no nodes available to schedule pods', 'OFFER_GONE'],
    ['insufficient quota for nvidia.com/gpu', 'QUOTA'],
    ['something new', 'TRANSIENT'],
  ])('%s is %s, and leaves a pod', (message, name) => {
    const seen = readPod(pod(unbound('Unschedulable', message)), MAIN)
    expect(seen && unschedulable(seen)).toMatchObject({ class: name, created: 'yes' })
  })

  test('a selector of devices that fails is a refusal; other errors of the scheduler are not', () => {
    const failing =
      'running "DynamicResources" filter plugin: claim x/c: selector #0: CEL runtime error: no such key: a'
    const refused = [failing, 'binding rejected: timed out'].map((message) =>
      unschedulable(readPod(pod(unbound('SchedulerError', message)), MAIN) ?? never()),
    )
    expect(refused).toMatchObject([{ class: 'TRANSIENT', created: 'yes' }, undefined])
  })

  test('is nothing where it has bound the pod, or has not looked', () => {
    expect(
      [pod(), pod(unbound('SchedulingGated', 'x'))].map((each) => unschedulable(readPod(each, MAIN) ?? never())),
    ).toEqual([undefined, undefined])
  })
})

test('whatever a pod looks like, it is read as something sound or not at all', () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom('Running', 'Failed', 'Pending', true, null, [], {}))
  const value = fc.record({
    metadata: fc.record({
      name: fc.string({ minLength: 1 }),
      uid: fc.string(),
      annotations: fc.constant(tagged()),
      deletionTimestamp: odd,
    }),
    spec: fc.record({ nodeName: odd, containers: odd, volumes: odd, affinity: odd }),
    status: fc.oneof(
      odd,
      fc.record({ phase: odd, reason: odd, conditions: odd, containerStatuses: odd }),
      fc.record({
        phase: fc.constantFrom('Running', 'Failed', 'Pending', 'Succeeded'),
        containerStatuses: fc.array(fc.record({ name: fc.constant(MAIN), state: odd })),
      }),
    ),
  })
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), value), (each) => {
      const seen = readPod(each, MAIN)
      const read = seen && instanceOf(seen, AROUND)
      if (read !== undefined) expect(readInstance(read)).toEqual(read)
    }),
    cases(2000),
  )
})

function tagged(): Readonly<Record<string, string>> {
  return { [TAG_ANNOTATION]: writeTag(TAG) }
}

function never(): never {
  throw new Error('it is no pod')
}
