import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Volume } from '../../src/core/manifest/manifest.ts'
import { lacksOf, type Instance, type Provider } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import { freshTag } from '../../src/providers/contract/bench.suite.ts'
import { endAll, openLocal, realDeps, sampleOrder } from '../../src/providers/local/bench.suite.ts'
import { S3, storageLack } from './s3.suite.ts'

const lack = storageLack()
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(lack !== undefined)('storage of processes of a host, with a real S3 server', () => {
  const mounts = mkdtempSync(join(tmpdir(), 'berth-host-'))
  const deps = realDeps()
  const call = { signal: AbortSignal.timeout(300_000), requestId: 'r' }
  let s3: S3
  let host: Provider
  beforeAll(async () => {
    s3 = await S3.start()
    host = await openLocal({ runtime: 'process', cpu: 8, memory: '8Gi' }, deps)
  })
  afterAll(async () => {
    await endAll(host)
    await host.close?.()
    await s3.close()
    for (const folder of [deps.folder, mounts]) rmSync(folder, { recursive: true, force: true })
  })

  async function launch(storage: readonly Volume[], script: string, secret: Secret) {
    const command = ['/bin/sh', '-c', script]
    const checkpoint = { path: join(mounts, 'ck'), everySeconds: 1 }
    const order = { ...sampleOrder({ kind: 'long' }), command, storage, checkpoint, tag: freshTag() }
    const storageSecrets = new Map([['S3', secret]])
    const answer = await host.launch(order, { ...call, secrets: new Map(), storageSecrets })
    expect(answer).toMatchObject({ ok: true })
    return { tag: order.tag, instance: undefined }
  }

  async function seen(
    ref: Awaited<ReturnType<typeof launch>>,
    isSo: (instance: Instance) => boolean,
  ): Promise<Instance> {
    return vi.waitUntil(
      async () => {
        const answer = await host.describe(ref, call)
        return answer.ok && answer.value.state !== 'absent' && isSo(answer.value) && answer.value
      },
      { timeout: 60_000, interval: 100 },
    )
  }

  const entry = (name: string, change: Partial<Volume>): Volume => {
    const from = `s3://${s3.bucket}/${name}`
    return { mount: join(mounts, name), from, mode: 'ro', sizeGib: undefined, secret: 'S3', ...change }
  }

  test('it can have both, and says so', () => {
    expect(lacksOf(host.can)).toEqual(['images', 'ray'])
  })

  test('the program and what runs beside it see data and volumes, nobody else does, and a checkpoint is told', async () => {
    s3.put('data/one', 'ONE')
    const empty = { ...entry('empty', { mode: 'rw', sizeGib: 1 }), from: undefined }
    const script = `cd ${mounts}; cat data/one > ck/step; touch empty/mine; trap 'exit 0' TERM; while :; do sleep 0.1; done`
    const ref = await launch([entry('data', {}), empty, entry('ck', { mode: 'rw' })], script, s3.secret)
    const { checkpointMs = 0 } = await seen(ref, (instance) => instance.checkpointMs !== undefined)
    expect(Math.abs(checkpointMs - Date.now())).toBeLessThan(60_000)
    expect(s3.get('ck/step')).toBe('ONE')
    const argv = ['sh', '-c', `cat ${mounts}/data/one; ls ${mounts}/empty; pwd | grep -c work`]
    expect(await host.exec?.(ref, argv, call)).toEqual({ ok: true, value: { code: 0, out: 'ONEmine\n1\n', err: '' } })
    expect(existsSync(join(mounts, 'data/one'))).toBe(false)
    await host.stop(ref, call)
    expect(await seen(ref, ({ state }) => state === 'ended')).toMatchObject({ exit: { kind: 'code', code: 0 } })
  })

  test('what cannot be fetched is told as the cause', async () => {
    const wrong = new Secret(s3.secret.reveal().replace('canary', 'wrong'))
    const ref = await launch([entry('data', {})], 'exit 0', wrong)
    const why = `s3://${s3.bucket}/data could not be fetched: access was denied; check the secret`
    expect(await seen(ref, ({ state }) => state === 'ended')).toMatchObject({ exit: { kind: 'storage', why } })
  })

  test('a secret that cannot be used is refused without its value', async () => {
    const order = { ...sampleOrder({ kind: 'long' }), storage: [entry('data', {})], tag: freshTag() }
    const storageSecrets = new Map([['S3', new Secret('canary')]])
    const answer = await host.launch(order, { ...call, secrets: new Map(), storageSecrets })
    expect(answer).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
    expect(JSON.stringify(answer)).toMatch(/the secret S3 cannot be used: line 1 is none of/)
    expect(JSON.stringify(answer)).not.toContain('canary')
  })
})
