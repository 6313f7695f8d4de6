import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../src/providers/contract/bench.suite.ts'
import { providerContract } from '../../src/providers/contract/contract.suite.ts'
import { KAI_QUEUE } from '../engines/batch/kai.ts'
import { KUEUE_QUEUE, kueueQueue } from '../engines/batch/kueue.ts'
import { VOLCANO_QUEUE } from '../engines/batch/volcano.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { GAPS, kubernetesBench, NAMESPACE } from './bench.ts'
import { gangOrders, OK, Tried } from './gangs.suite.ts'
import { answerForPrograms } from './programs.ts'

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')

/** The contract holds in queues, too. All three schedulers are in one cluster, so that each is named. */
describe('queues of batch schedulers', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ name: 'queues', engines: ['kai', 'volcano', 'kueue'] })
    await answerForPrograms(rig)
    const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await rig.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels: restricted } })
    await addNodes(rig.api, wholeCardNodes(2))
    await rig.api.applyText(readFileSync(RBAC, 'utf8'))
    await rig.api.apply(kueueQueue(NAMESPACE), kueueQueue('berth'))
  })
  afterAll(() => rig.stop())

  test.each([
    ['KAI', 'kai', KAI_QUEUE],
    ['Volcano', 'volcano', VOLCANO_QUEUE],
    ['Kueue', 'kueue', KUEUE_QUEUE],
  ])('the rights that ship are all that %s needs', async (title, scheduler, queue) => {
    const lab = await Tried.asShipped(rig, { scheduler, queue })
    const found = (await lab.provider.check?.(call())) ?? []
    expect(found.filter(({ ok, check }) => !ok || check.startsWith('permission '))).toEqual([])
    expect(found).toContainEqual({ check: 'scheduler', ok: true, text: `${title}, queue ${queue}` })
    const pair = gangOrders(2, { gpus: 1 })
    expect(await lab.launch(pair)).toEqual(OK)
    await lab.up(pair)
    await lab.stop(pair)
  })

  const on = (scheduler: string, queue: string) => () => kubernetesBench(rig, { scheduler, queue })
  providerContract('kubernetes with KAI', on('kai', KAI_QUEUE), GAPS)
  providerContract('kubernetes with Volcano', on('volcano', VOLCANO_QUEUE), GAPS)
  providerContract('kubernetes with Kueue', on('kueue', KUEUE_QUEUE), GAPS)
})
