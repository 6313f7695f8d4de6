import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nameOf } from '../names.ts'
import type { RayOrders } from './cluster.ts'
import { rayPair, rayPods } from './clusters.suite.ts'
import { rayJobFor } from './job.ts'
import { readMembers, writeMembers } from './members.ts'

function pairOf(command: readonly string[]): RayOrders {
  const ports = [{ name: 'http', port: 8265, health: '/health', expose: 'private' as const }]
  return rayPair({ command, ports, maxDurationSeconds: 60 })
}

function jobOf(command: readonly string[]): ReturnType<typeof rayJobFor> {
  const orders = pairOf(command)
  return rayJobFor(orders, rayPods(orders), 'v1')
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
  const orders = pairOf(['a'])
  const written = writeMembers(orders)
  expect(readMembers(written)).toEqual(orders.map(({ tag, usdPerHourMax }) => ({ tag, usdPerHour: usdPerHourMax })))
  expect(jobOf(['a']).metadata.name).toBe(nameOf('ray-attempt-0'))
  for (const members of ['', '[]', '[["0",1,"another",0]]', '{}']) {
    expect(readMembers({ ...written, 'berth.dev/members': members })).toBeUndefined()
  }
})
