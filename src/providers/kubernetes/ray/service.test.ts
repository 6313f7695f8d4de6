import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Order } from '../../../core/life/call/order.ts'
import { rayPair, rayPods } from './clusters.suite.ts'
import { rayServiceFor, serveTargetOf } from './service.ts'

const COMMAND = ['serve', 'run', '--route-prefix', '/v1', 'app:build', 'model=llama']
const PORTS: Order['ports'] = [
  { name: 'http', port: 8080, health: '/v1/health', expose: 'public' },
  { name: 'serve', port: 9000, health: undefined, expose: 'private' },
]

function serviceOf(change: Partial<Order>): ReturnType<typeof rayServiceFor> {
  const orders = rayPair({ framework: 'ray-serve', command: COMMAND, ports: PORTS, ...change })
  const target = serveTargetOf(orders[0])
  if (target === undefined) throw new Error('the command starts no application')
  return rayServiceFor(orders, rayPods(orders), { version: 'v1', target })
}

test('a replica of two nodes is a head and a worker whose first port Ray Serve answers', async () => {
  const written = `${JSON.stringify(serviceOf({}), null, 2)}\n`
  expect(written).not.toMatch(/readinessProbe|restartPolicy/)
  await expect(written).toMatchFileSnapshot(join(import.meta.dirname, 'golden/service.json'))
})

test('without ports it answers where Ray Serve does by itself', () => {
  const { spec } = serviceOf({ ports: [], command: ['serve', 'run'], args: ['app:main'] })
  expect(JSON.parse((spec as { readonly serveConfigV2: string }).serveConfigV2)).toEqual({
    proxy_location: 'EveryNode',
    http_options: { host: '0.0.0.0', port: 8000 },
    applications: [{ name: 'berth-ray-attempt-0', import_path: 'app:main', route_prefix: '/' }],
  })
})

test('any other command is none of Ray Serve', () => {
  expect(serveTargetOf({ command: ['serve', 'deploy'], args: ['config.yaml'] })).toBeUndefined()
})
