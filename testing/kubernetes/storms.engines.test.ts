import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes, type RigPod } from '../engines/fakes/pods.ts'
import type { RigObject } from '../engines/rig/api.ts'
import { namespaceOf } from '../engines/rig/host.ts'
import { portOf } from '../engines/rig/place.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { until } from '../plane/plane.ts'
import { configAs, configWith } from './bench.ts'
import { PlaneOnClusters, podsOn } from './clusters.suite.ts'
import { calm, ResettingRelay, shortToken, storm, whileRefused, type StormWaves } from './storm.suite.ts'

// A control plane with one real cluster and a cloud. In the middle of launches something goes wrong; in the end everything runs once, and
// after its removal nothing is left.

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
/** Each takes a minute of a quiet machine: the usual run has some of them, `BERTH_STORMS=all` all. */
const whole = test.runIf(process.env['BERTH_STORMS'] === 'all')
const SOON = { timeout: 60_000, interval: 200 }

let rig: Rig
let relay: ResettingRelay
let address = ''
const plane = new PlaneOnClusters()

beforeAll(async () => {
  rig = await startRig({ name: 'storms' })
  await rig.api.applyText(readFileSync(RBAC, 'utf8'))
  await addNodes(rig.api, wholeCardNodes(4))
  relay = new ResettingRelay(portOf(rig.place, 'api'))
  address = `127.0.0.1:${await relay.listen()}`
  expect(await plane.plane.start()).toBe(true)
}, 240_000)
afterAll(async () => {
  await plane.end()
  relay.close()
  await rig.stop()
})

/** A kubeconfig whose cluster is reached through the relay. */
function fileOf(config: string): string {
  return plane.write('relayed.kubeconfig', config.replaceAll(`127.0.0.1:${portOf(rig.place, 'api')}`, address))
}

/** Through the fault, on a cluster that has refused nothing yet, with no rights but those that ship; and then all of it goes. */
async function through(prefix: string, fault: StormWaves['fault'], namespace = 'berth'): Promise<void> {
  const kubeconfig = namespace === 'berth' ? fileOf(await configAs(rig, 'berth')) : rig.kubeconfig
  await plane.add(prefix, { kubeconfig }, { usdPerCardHour: 1, namespace })
  const names = await storm(plane, rig, { prefix, fault, provider: { name: prefix, namespace } })
  told = await placesOf(names)
  await calm(plane, rig, names)
  expect((await plane.berth('provider', 'rm', prefix, '--yes')).code).toBe(0)
}

/** Where the work of the last storm was. */
let told: ReadonlyMap<string, number> = new Map()

/** By provider, how many of them are there. */
async function placesOf(names: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const placed = await plane.ready(names)
  return new Map([...Map.groupBy(placed, ({ provider }) => provider)].map(([name, some]) => [name, some.length]))
}

test('the API server is killed and started again', async () => {
  await through('killed', async (more) => {
    await rig.kill('kube-apiserver')
    await more()
    await rig.start('kube-apiserver')
  })
})

whole('etcd stands still for 30 seconds', async () => {
  await through('etcd', async (more) => {
    rig.freeze('etcd')
    await more()
    await sleep(30_000)
    rig.thaw('etcd')
    await expect.poll(() => rig.api.isReady(), SOON).toBe(true)
  })
})

whole('the API server has too many requests for a while', async () => {
  await through('busy', async (more) => {
    await rig.api.apply(...NO_SHARE)
    await more()
    await expect.poll(rejected, SOON).toBeGreaterThan(0)
    await sleep(3000)
    await rig.api.delete(`${FLOWS}/flowschemas/starved`)
    await rig.api.delete(`${FLOWS}/prioritylevelconfigurations/starved`)
  })
})

whole('every connection is reset, over and over', async () => {
  await through('reset', async (more) => {
    for (let time = 0; time < 10; time++) {
      relay.reset()
      if (time === 3) await more()
      await sleep(150)
    }
  })
})

test('the token expires', async () => {
  const set = ['secret', 'set', 'KUBECONFIG_EXPIRED', '--platform', '--from-file']
  await through('expired', async (more) => {
    const token = await shortToken(rig, 'berth', 0)
    expect((await plane.berth(...set, fileOf(await configWith(rig, token)))).code).toBe(0)
    await more()
    const fault = async () => (await plane.client.providers()).find(({ name }) => name === 'expired')?.last_fault
    await expect.poll(fault, SOON).toMatch(/AUTH|nauthor/)
    expect((await plane.berth(...set, fileOf(await configAs(rig, 'berth')))).code).toBe(0)
  })
})

whole('pods are evicted', async () => {
  await through('evicted', async (more) => {
    await more()
    for (const { metadata } of (await podsOn(rig, 'berth')).slice(0, 5)) {
      const { name } = metadata
      const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'berth' } }
      await rig.api.ask({ method: 'POST', path: `/api/v1/namespaces/berth/pods/${name}/eviction`, body })
    }
  })
})

whole('a node is deleted', async () => {
  let lost: readonly RigPod[] = []
  await through('lost', async (more) => {
    const pods = await podsOn(rig, 'berth')
    const node = pods.find(({ spec }) => spec.nodeName !== undefined)?.spec.nodeName ?? 'gpu-000'
    lost = pods.filter(({ spec }) => spec.nodeName === node)
    await rig.api.delete(`/api/v1/nodes/${node}`)
    await more()
    await until('what was there has another place', { withinMs: 180_000 }, async () => {
      const left = (await podsOn(rig, 'berth')).filter(({ spec }) => spec.nodeName === node)
      return left.length === 0 ? { found: true } : `${left.length} pods`
    })
  })
  expect(lost.length).toBeGreaterThan(0)
  await addNodes(rig.api, wholeCardNodes(4))
})

whole('a quota is set, and the rest goes to the cloud', async () => {
  await through('quota', async (more) => {
    await rig.api.apply({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'few', namespace: 'berth' },
      spec: { hard: { pods: '5' } },
    })
    await expect
      .poll(() => rig.api.get('/api/v1/namespaces/berth/resourcequotas/few'), SOON)
      .toMatchObject({
        status: { hard: { pods: '5' } },
      })
    await more()
    await expect.poll(inTheCloud, SOON).toBeGreaterThan(0)
  })
  expect(told.get('cloud')).toBeGreaterThan(0)
  await rig.api.delete('/api/v1/namespaces/berth/resourcequotas/few')
})

whole('a webhook refuses pods, and the rest goes to the cloud', async () => {
  let refused = 0
  await through('webhook', async (more) => {
    refused = await whileRefused(rig, 'berth', async () => {
      await more()
      await expect.poll(inTheCloud, SOON).toBeGreaterThan(0)
    })
  })
  expect(refused).toBeGreaterThan(0)
  expect(told.get('cloud')).toBeGreaterThan(0)
})

whole('the namespace is deleted, and all of it goes elsewhere', async () => {
  await rig.api.apply(namespaceOf('doomed'))
  await through(
    'doomed',
    async (more) => {
      await rig.api.delete('/api/v1/namespaces/doomed')
      await more()
      await until('nothing runs there', { withinMs: 120_000 }, async () => {
        const left = await podsOn(rig, 'doomed')
        return left.length === 0 ? { found: true } : `${left.length} pods`
      })
    },
    'doomed',
  )
  expect([...told.keys()]).toEqual(['cloud'])
})

async function inTheCloud(): Promise<number> {
  const { items } = await plane.client.workloads({})
  return items.flatMap(({ slots }) => slots).filter(({ provider }) => provider === 'cloud').length
}

const FLOWS = '/apis/flowcontrol.apiserver.k8s.io/v1'

/** Requests of the account that ships have no share of the API server: each is refused with 429. */
const NO_SHARE: readonly RigObject[] = [
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'PriorityLevelConfiguration',
    metadata: { name: 'starved' },
    spec: {
      type: 'Limited',
      limited: {
        nominalConcurrencyShares: 0,
        lendablePercent: 0,
        borrowingLimitPercent: 0,
        limitResponse: { type: 'Reject' },
      },
    },
  },
  {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: 'starved' },
    spec: {
      matchingPrecedence: 2,
      priorityLevelConfiguration: { name: 'starved' },
      rules: [
        {
          subjects: [{ kind: 'ServiceAccount', serviceAccount: { name: 'berth', namespace: 'berth' } }],
          resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'], clusterScope: true }],
        },
      ],
    },
  },
]

/** How many requests were refused with 429, as the API server counts them. */
async function rejected(): Promise<number> {
  const said = await rig.api.text('/metrics')
  const lines = said
    .split('\n')
    .filter((line) => /^apiserver_flowcontrol_rejected_requests_total\{.*starved/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1) ?? 0), 0)
}
