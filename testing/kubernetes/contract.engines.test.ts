import { afterAll, beforeAll, describe } from 'vitest'
import { providerContract } from '../../src/providers/contract/contract.suite.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { GAPS, kubernetesBench, NAMESPACE } from './bench.ts'
import { answerForPrograms } from './programs.ts'

describe('a real control plane', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await startRig({ name: 'contract' })
    await answerForPrograms(rig)
    const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await rig.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels: restricted } })
    await addNodes(rig.api, wholeCardNodes(2))
  })
  afterAll(() => rig.stop())

  providerContract('kubernetes', () => kubernetesBench(rig), GAPS)
  providerContract('kubernetes that picks nodes itself', () => kubernetesBench(rig, { pick: 'cluster' }), GAPS)
})
