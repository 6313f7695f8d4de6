import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gangVariables } from '../../../src/core/life/call/rendezvous.ts'
import type { Order } from '../../../src/core/life/call/order.ts'
import {
  becomes,
  call,
  freshOwner,
  freshTag,
  isUp,
  launchCall,
  stopped,
  yes,
} from '../../../src/providers/contract/bench.suite.ts'
import { defaultGroup, keyText, runningIn, SETTINGS, type AwsBench } from './bench.suite.ts'

const HOSTS = ['g-0.berth.internal', 'g-1.berth.internal', 'g-2.berth.internal']
const PEERS = /<key>berth-peers-0<\/key>\s*<value>([^<]*)</g

/** Gangs on EC2: together, close to each other, and known to each other. */
export function awsGangs(open: () => Promise<AwsBench>): void {
  describe('gangs on aws', () => {
    let bench: AwsBench
    beforeEach(async () => {
      bench = await open()
    })
    afterEach(() => bench.cleanup())

    async function gang(change: Partial<Order> = {}): Promise<readonly Order[]> {
      const order = await bench.order({ kind: 'long' })
      const { uid, owner } = freshTag({ owner: freshOwner() })
      const meeting = { hosts: HOSTS, port: 29_500 }
      return HOSTS.map((_, rank) => ({
        ...order,
        env: { ...order.env, ...gangVariables(rank, HOSTS.length, meeting) },
        nodes: HOSTS.length,
        meeting,
        tag: freshTag({ uid, owner, slot: `0.${rank}` }),
        ...change,
      }))
    }

    const launch = async (orders: readonly Order[], provider = bench.provider) =>
      (await provider.launchGroup?.(orders, launchCall())) ?? { ok: false as const, fault: undefined }

    /** What moto has of the addresses that each machine is told. */
    async function told(): Promise<readonly string[]> {
      const text = await bench.cloud.ask('DescribeInstances')
      return [...text.matchAll(PEERS)].map(([, value = '']) => value)
    }

    test('all members run in one subnet and one placement group, know each other, and each is itself', async () => {
      const orders = await gang()
      const answer = await launch(orders)
      if (!answer.ok) throw new Error(JSON.stringify(answer.fault))
      const form = bench.cloud.forms.get('RunInstances')
      expect([form?.get('MinCount'), form?.get('MaxCount')]).toEqual(['3', '3'])
      expect(await told()).toHaveLength(3)
      expect((await told())[0]).toMatch(/^1:10?\d*(?:\.\d+){3},/)
      for (const [rank, { tag }] of orders.entries()) {
        const up = await becomes(bench, { tag, instance: undefined }, isUp)
        expect(up).toMatchObject({ tag, instance: answer.value[rank]?.instance })
      }
      const env = bench.cloud.engine.machines.map((machine) => machine.env)
      expect(env.map(({ RANK }) => RANK)).toEqual(['0', '1', '2'])
      expect(env.map(({ MASTER_ADDR }) => MASTER_ADDR)).toEqual(HOSTS.map(() => HOSTS[0]))
      await Promise.all(orders.map(({ tag }) => stopped(bench, { tag, instance: undefined })))
    })

    test('machines with EFA get it, and a placement group that is deleted once it is empty', async () => {
      bench.cloud.engine.prices.set('p5.48xlarge', 55)
      const offers = yes(await bench.provider.offers(call())).offers
      const large = offers.find(
        ({ instance, spotUsdPerHour }) => instance === 'p5.48xlarge' && spotUsdPerHour !== undefined,
      )
      if (large === undefined) throw new Error('there is such a machine')
      const { id, provider, region, zone, instance, spotUsdPerHour = 0 } = large
      const place = { offer: id, provider, region, zone, instance, market: 'spot' as const, node: undefined }
      const orders = await gang({ place, usdPerHourMax: spotUsdPerHour })
      expect(await launch(orders)).toMatchObject({ ok: true })
      const form = bench.cloud.forms.get('RunInstances')
      expect(form?.get('NetworkInterface.1.InterfaceType')).toBe('efa')
      expect(form?.get('InstanceMarketOptions.MarketType')).toBe('spot')
      const [group] = bench.cloud.groups.names()
      expect(group).toMatch(/^berth-/)
      expect(form?.get('Placement.GroupName')).toBe(group)
      await Promise.all(orders.map(({ tag }) => stopped(bench, { tag, instance: undefined })))
      await bench.pass(16 * 60_000)
      yes(await bench.provider.list('somebody', call()))
      expect(bench.cloud.groups.names()).toEqual([])
    })

    test('if there is no room for all, none is started', async () => {
      const orders = await gang()
      bench.cloud.engine.stock.set(orders[0]?.place.instance ?? '', 2)
      expect(await launch(orders)).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
      expect([await runningIn(bench.cloud), bench.cloud.groups.names()]).toEqual([[], []])
    })

    test('a network in which they could not meet is refused, with the rule that is missing', async () => {
      const orders = await gang()
      const group = await defaultGroup(bench.cloud)
      await bench.cloud.ask('RevokeSecurityGroupIngress', {
        GroupId: group,
        'IpPermissions.1.IpProtocol': '-1',
        'IpPermissions.1.Groups.1.GroupId': group,
      })
      const answer = await launch(orders)
      expect(answer).toMatchObject({ ok: false, fault: { class: 'NO_MATCHING_SHAPE', created: 'no' } })
      expect(JSON.stringify(answer)).toContain(`(${group}) has a rule that lets in all traffic`)
      expect(bench.cloud.actions).not.toContain('RunInstances')
    })

    test('a reply that is lost leaves no orphan: every member is found by its tag', async () => {
      const orders = await gang()
      bench.cloud.nextOf('RunInstances', 'lost')
      expect(await launch(orders)).toMatchObject({ ok: false, fault: { class: 'AMBIGUOUS' } })
      await bench.cloud.settled()
      const seen = yes(await bench.provider.list(orders[0]?.tag.owner ?? '', call()))
      expect(new Set(seen.instances.map(({ tag }) => tag.attempt))).toEqual(
        new Set(orders.map(({ tag }) => tag.attempt)),
      )
      // Nobody told them of each other, so that is done now.
      expect(await told()).toHaveLength(3)
      await Promise.all(orders.map(({ tag }) => stopped(bench, { tag, instance: undefined })))
      expect(await runningIn(bench.cloud)).toEqual([])
    })

    test.each([
      ['RunInstances', 'before'],
      ['RunInstances', 'after'],
      ['CreateTags', 'before'],
    ] as const)(
      'a control plane that is killed at %s (%s it) leaves a gang that another one completes',
      async (action, when) => {
        const orders = await gang()
        const settings = { endpoint: bench.cloud.url, ...SETTINGS }
        const argument = JSON.stringify({ settings, orders, key: keyText(bench.cloud.key) })
        const child = spawn(process.execPath, [join(import.meta.dirname, 'launch-run.ts'), argument], {
          stdio: 'ignore',
        })
        const ended = once(child, 'exit')
        bench.cloud.onAction = (done, at) => void (done === action && at === when && child.kill('SIGKILL'))
        expect(await ended).toEqual([null, 'SIGKILL'])
        bench.cloud.onAction = undefined
        await bench.cloud.settled()
        const provider = await bench.reopen()
        const { instances } = yes(await provider.list(orders[0]?.tag.owner ?? '', call()))
        expect([0, 3]).toContain(instances.length)
        expect(await told()).toHaveLength(instances.length)
        await Promise.all(orders.map(({ tag }) => stopped({ ...bench, provider }, { tag, instance: undefined })))
        expect(await runningIn(bench.cloud)).toEqual([])
      },
    )
  })
}
