import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { bind } from '../core/life/bind/bind.ts'
import type { BindInput } from '../core/life/bind/chosen.ts'
import { bindInput, recordOf, workloadOf } from '../core/life/keep.suite.ts'
import type { Placement } from '../core/life/placement.ts'
import { gangPorts } from '../core/life/call/rendezvous.ts'
import { slotsWanted } from '../core/life/slots.ts'
import type { Workload } from '../core/life/workload.ts'
import type { Instance, Provider, ProviderDeps } from '../ports/provider.ts'
import { openLocal, realDeps } from '../providers/local/bench.suite.ts'
import { lacksIn, offersOfProvider, snapshotOf } from './provider-offers.ts'

/** Rank 0 listens where the variables say, and the other tells it who it is: both end well, or neither does. */
const MEMBER = `
  const net = require('node:net')
  const { MASTER_ADDR, MASTER_PORT, RANK, WORLD_SIZE, NODE_RANK, NNODES, BERTH_HOSTS } = process.env
  const words = [WORLD_SIZE, NNODES, NODE_RANK === RANK, BERTH_HOSTS.split(',').length].join()
  if (words !== '2,2,true,2') process.exit(3)
  setTimeout(() => process.exit(4), 20000).unref()
  if (RANK === '0') {
    net.createServer((peer) => peer.on('data', (text) => {
      console.log('heard ' + text)
      peer.end('welcome', () => process.exit(String(text) === 'rank 1' ? 0 : 5))
    })).listen(Number(MASTER_PORT), MASTER_ADDR)
  } else {
    const call = () => {
      const peer = net.connect(Number(MASTER_PORT), MASTER_ADDR, () => peer.write('rank ' + RANK))
      peer.on('data', () => process.exit(0))
      peer.on('error', () => setTimeout(call, 50))
    }
    call()
  }
`

const TRAIN = `berth: v1
kind: job
name: train
image: acme/train:1
nodes: 2
resources: { cpu: 0.1 }
command: [${JSON.stringify(process.execPath)}, -e, ${JSON.stringify(MEMBER)}]
`

const CALL = { signal: new AbortController().signal, requestId: 'r1' }

interface Bench {
  readonly provider: Provider
  readonly deps: ProviderDeps
}

const open: Bench[] = []

async function bench(settings: Readonly<Record<string, unknown>> = { runtime: 'process' }): Promise<Bench> {
  const deps = realDeps()
  const made = { deps, provider: await openLocal({ gpus: [], ...settings }, deps) }
  open.push(made)
  return made
}

afterEach(async () => {
  for (const { provider, deps } of open.splice(0)) {
    const list = await provider.list('o1', CALL)
    for (const { tag, instance } of list.ok ? list.value.instances : []) await provider.stop({ tag, instance }, CALL)
    await provider.close?.()
    rmSync(deps.folder, { recursive: true, force: true })
  }
})

/** The places that a workload is given on a host, beside what is there. */
async function placedOn({ provider }: Bench, workload: Workload, there: readonly Placement[] = [], chance = 0.5) {
  const offers = await provider.offers(CALL)
  if (!offers.ok) throw new Error(offers.fault.message)
  const capacities = new Map([['here', offersOfProvider(offers.value, there, Date.now())]])
  const lacks = lacksIn(new Map([['here', { provider }]]))
  const snapshot = snapshotOf({ capacities, refusals: [], config: undefined, placements: () => there, lacks })
  const change: Partial<BindInput> = {
    snapshot,
    chance,
    nowMs: Date.now(),
    rendezvous: () => provider.can.rendezvous,
    gangPorts: () => gangPorts(there),
  }
  const groups = [...Map.groupBy(slotsWanted(workload), ({ group }) => group).values()]
  return bind(recordOf(workload), groups, { ...bindInput([]), ...change })
}

async function untilEnded({ provider }: Bench): Promise<readonly Instance[]> {
  for (;;) {
    const list = await provider.list('o1', CALL)
    const instances = list.ok ? list.value.instances : []
    if (instances.length > 0 && instances.every(({ state }) => state === 'ended')) return instances
    await sleep(20)
  }
}

describe('a gang of real processes', () => {
  test('finds itself: rank 1 reaches rank 0 through the variables', async () => {
    const here = await bench()
    const { placements } = await placedOn(here, workloadOf(TRAIN, { name: 'train' }))
    expect(placements).toHaveLength(2)
    for (const { order } of placements) {
      const answer = await here.provider.launch(order, { ...CALL, secrets: new Map() })
      expect(answer).toMatchObject({ ok: true })
    }
    const ended = await untilEnded(here)
    expect(ended.map(({ exit }) => exit)).toEqual([
      { kind: 'code', code: 0 },
      { kind: 'code', code: 0 },
    ])
  })

  test('meets at a port of its own, which stays the same in what is written down', async () => {
    const here = await bench()
    const one = await placedOn(here, workloadOf(TRAIN, { name: 'one', uid: 'u1' }))
    const two = await placedOn(here, workloadOf(TRAIN, { name: 'two', uid: 'u2' }), one.placements)
    const ports = [...one.placements, ...two.placements].map(({ order }) => order.env['MASTER_PORT'])
    expect(new Set(ports.slice(0, 2)).size).toBe(1)
    expect(new Set(ports).size).toBe(2)
    expect(gangPorts(JSON.parse(JSON.stringify(one.placements)))).toEqual(new Set([Number(ports[0])]))
  })

  test('is not begun where something else listens at its port, and gets another port next time', async () => {
    const here = await bench()
    const { createServer } = await import('node:net')
    const { placements } = await placedOn(here, workloadOf(TRAIN, { name: 'train' }))
    const [first] = placements
    const port = Number(first?.order.env['MASTER_PORT'])
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    try {
      if (first === undefined) throw new Error('nothing was placed')
      const answer = await here.provider.launch(first.order, { ...CALL, secrets: new Map() })
      expect(answer).toMatchObject({ ok: false, fault: { class: 'TRANSIENT', scope: 'none' } })
      const again = await placedOn(here, workloadOf(TRAIN, { name: 'train' }), [], 0.7)
      expect(again.placements[0]?.order.env['MASTER_PORT']).not.toBe(String(port))
    } finally {
      server.close()
    }
  })
})

describe('a host of one’s own that is full', () => {
  const job = (name: string) =>
    workloadOf(`berth: v1\nkind: job\nname: ${name}\nimage: a:1\ncommand: [sh]\nresources: { cpu: 1.5 }\n`, {
      name,
      uid: `u-${name}`,
    })

  test('is never sold out: the wait names the workload that is in the way, and how much is short', async () => {
    const here = await bench({ runtime: 'process', cpu: 2 })
    const { placements } = await placedOn(here, job('j1'))
    const { status } = await placedOn(here, job('j2'), placements)
    expect(status?.waiting?.code).toBe('HOST_FULL')
    expect(status?.waiting?.text).toMatch(/^\S+ is full: j1 runs there, 1 CPU short$/)
  })

  test('does not tell one project what another one runs', async () => {
    const here = await bench({ runtime: 'process', cpu: 2 })
    const { placements } = await placedOn(here, { ...job('hidden'), project: 'others' })
    const { status } = await placedOn(here, job('j2'), placements)
    expect(status?.waiting?.text).toMatch(/ is full: work of another project runs there, 1 CPU short$/)
  })
})

describe('what a host of processes cannot do', () => {
  const job = (more: string) => workloadOf(`berth: v1\nkind: job\nname: demo\nimage: acme/app:1\n${more}`)

  test('is a reason before anything is tried', async () => {
    const { status, placements } = await placedOn(await bench(), job('resources: { cpu: 0.1 }\n'))
    expect(placements).toEqual([])
    expect(status?.waiting?.code).toBe('NO_IMAGES')
  })
})
