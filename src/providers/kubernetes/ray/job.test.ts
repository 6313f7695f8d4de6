import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf } from '../names.ts'
import { groundOf } from '../objects/ground.ts'
import { NODES, orderOn, settingsOf } from '../objects/orders.suite.ts'
import { podFor } from '../objects/pod.ts'
import { rayJobFor } from './job.ts'
import { readMembers, writeMembers } from './members.ts'
import type { Order } from '../../../core/life/call/order.ts'

const HOSTS = ['r0.gang-1.berth.svc.cluster.local', 'r1.gang-1.berth.svc.cluster.local']

function member(rank: number, command: readonly string[]): Order {
  const order = orderOn(NODES.whole, { gpus: 8, nodes: 2, meeting: { hosts: HOSTS, port: 29_500 }, command })
  const ports: Order['ports'] = [{ name: 'http', port: 8265, health: '/health', expose: 'private' }]
  return {
    ...order,
    ports,
    args: [],
    maxDurationSeconds: 60,
    tag: { ...order.tag, slot: `0.${rank}`, attempt: `ray-attempt-${rank}` },
  }
}

function jobOf(command: readonly string[]): ReturnType<typeof rayJobFor> {
  const [head, worker] = [member(0, command), member(1, command)]
  const pods = [head, worker].map((order) => {
    const ground = groundOf(order, NODES.whole)
    if ('class' in ground) throw new Error(ground.message)
    return podFor(order, ground, { settings: settingsOf({}), namespace: 'berth' })
  })
  return rayJobFor([head, worker], pods, 'v1')
}

test('a job of two nodes is a head and a worker of its own, and nothing in a pod that Ray does itself', async () => {
  const written = `${JSON.stringify(jobOf(['python', 'train.py']), null, 2)}\n`
  expect(written).not.toMatch(/readinessProbe|finalizers|restartPolicy/)
  await expect(written).toMatchFileSnapshot(join(import.meta.dirname, 'golden/pair.json'))
})

test('a shell gets the words of the command as they are', () => {
  const { spec } = jobOf(['sh', '-c', "echo 'it is' $HOME; exit 3", ''])
  expect(spec).toMatchObject({ entrypoint: `sh -c 'echo '\\''it is'\\'' $HOME; exit 3' ''` })
})

test('all nodes can be read back, and nothing that was changed by hand', () => {
  const orders = [member(0, ['a']), member(1, ['a'])]
  const written = writeMembers(orders)
  expect(readMembers(written)).toEqual(orders.map(({ tag, usdPerHourMax }) => ({ tag, usdPerHour: usdPerHourMax })))
  expect(jobOf(['a']).metadata.name).toBe(nameOf('ray-attempt-0'))
  for (const members of ['', '[]', '[["0",1,"another",0]]', '{}']) {
    expect(readMembers({ ...written, 'berth.dev/members': members })).toBeUndefined()
  }
})
