import { expect, test } from 'vitest'
import { call } from '../../contract/bench.suite.ts'
import { GROUP_ANNOTATION, MAIN, QUEUE_ANNOTATION, SCHEDULER_ANNOTATION } from '../names.ts'
import { readPod, type SeenPod } from '../read/pod.ts'
import { pod, unbound } from '../read/pods.suite.ts'
import { batchesOn, KUEUE, VOLCANO } from './cluster.suite.ts'

function waits(scheduler: string, name: string): SeenPod {
  const annotations = { [SCHEDULER_ANNOTATION]: scheduler, [QUEUE_ANNOTATION]: 'ml', [GROUP_ANNOTATION]: name }
  const seen = readPod(pod({ metadata: { name, annotations }, ...unbound('SchedulingGated', 'gates') }), MAIN)
  if (seen === undefined) throw new Error('it is no pod')
  return seen
}

const WORKLOADS = '/apis/kueue.x-k8s.io/v1beta2/namespaces/berth/workloads'
const GROUPS = '/apis/scheduling.volcano.sh/v1beta1/namespaces/berth/podgroups'

function workload(name: string): object {
  const conditions = [{ type: 'QuotaReserved', status: 'False', reason: 'Pending', message: `${name}: 8 more needed` }]
  return { metadata: { name }, status: { conditions } }
}

test('what Kueue says of a few is read one by one, and of many at once', async () => {
  const names = ['a', 'b', 'c', 'd', 'e']
  const one = Object.fromEntries(names.map((name) => [`${WORKLOADS}/${name}`, workload(name)]))
  const { batches, read } = batchesOn({ groups: KUEUE, objects: { ...one, [WORKLOADS]: names.map(workload) } })
  expect(await batches.reasons([waits('kueue', 'b')], call())).toEqual(new Map([['b', 'b: 8 more needed']]))
  expect(read).not.toContain(WORKLOADS)
  const all = await batches.reasons(
    names.map((name) => waits('kueue', name)),
    call(),
  )
  expect([...all.keys()]).toEqual(names)
  expect(read.filter((path) => path.startsWith(WORKLOADS))).toEqual([`${WORKLOADS}/b`, WORKLOADS])
})

test('what a queue of Volcano lacks is worked out, until it has let the gang in', async () => {
  const group = (phase: string) => ({
    metadata: { name: 'a' },
    spec: { minResources: { gpu: '4' } },
    status: { phase },
  })
  const queue = { spec: { capability: { gpu: '8' } }, status: { allocated: { gpu: '6' } } }
  const told = (phase: string) => {
    const objects = { [`${GROUPS}/a`]: group(phase), '/apis/scheduling.volcano.sh/v1beta1/queues/ml': queue }
    return batchesOn({ groups: VOLCANO, objects }).batches.reasons([waits('volcano', 'a')], call())
  }
  const lack = 'insufficient quota: 6 of 8 gpu are in use, and it asks for 4'
  expect(await told('Pending')).toEqual(new Map([['a', lack]]))
  expect(await told('Inqueue')).toEqual(new Map())
})
