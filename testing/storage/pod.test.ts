import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import type { Volume } from '../../src/core/manifest/manifest.ts'
import { Secret } from '../../src/ports/secret.ts'
import { FETCH, KEEP, MAIN } from '../../src/providers/kubernetes/names.ts'
import { lackFor, storeFlags } from '../../src/providers/local/bench.suite.ts'
import { courierImage, PodOnPodman } from './pod.suite.ts'
import { S3, storageLack } from './s3.suite.ts'

const lack = storageLack() ?? lackFor(['podman', 'runc', 'conmon'])
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(!IS_WHOLE || lack !== undefined)(
  'storage of a pod, its containers in a real podman, with a real S3 server',
  () => {
    const store = mkdtempSync(join(tmpdir(), 'berth-pods-'))
    const soon = { timeout: 90_000, interval: 200 }
    let s3: S3
    let pod: PodOnPodman
    /** Each test has checkpoints of its own. */
    let ckpt = ''
    let serial = 0
    beforeAll(async () => {
      courierImage(store, storeFlags(store))
      s3 = await S3.start()
    })
    afterEach(() => pod.close())
    afterAll(async () => {
      execFileSync('podman', [...storeFlags(store), 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
      await s3.close()
      rmSync(store, { recursive: true, force: true })
    })

    function start(change: Partial<Volume> = {}, secret: Secret = s3.secret): PodOnPodman {
      ckpt = `ckpt-${serial++}`
      const at = { sizeGib: undefined, secret: 'S3' }
      pod = new PodOnPodman(
        store,
        [
          { mount: '/data', from: `s3://${s3.bucket}/data`, mode: 'ro', ...at, ...change },
          { mount: '/scratch', from: undefined, mode: 'rw', ...at },
          { mount: '/ckpt', from: `s3://${s3.bucket}/${ckpt}`, mode: 'rw', ...at },
        ],
        secret,
      )
      return pod
    }

    test('data is fetched before, checkpoints are saved beside, and what is last is saved once its end is known', async () => {
      s3.put('data/a b/one', 'ONE')
      start()
      expect(pod.names).toEqual([FETCH, KEEP, MAIN])
      await pod.start(FETCH)
      expect(await pod.ended(FETCH)).toBe(0)
      await pod.start(KEEP)
      await pod.start(
        MAIN,
        `cat "/data/a b/one" > /ckpt/step; touch /data/x || echo kept; touch /scratch/x; ls /berth || echo no courier
       while [ ! -e /ckpt/go ]; do sleep 0.1; done; echo last > /ckpt/last`,
      )
      await vi.waitUntil(() => s3.get(`${ckpt}/step`) === 'ONE', soon)
      const told = await vi.waitUntil(async () => /^berth: checkpoint (\d+)$/m.exec(await pod.log(KEEP))?.[1], soon)
      expect(Math.abs(Number(told) * 1000 - Date.now())).toBeLessThan(60_000)
      await pod.exec(MAIN, ['/bin/touch', '/ckpt/go'])
      expect(await pod.ended(MAIN)).toBe(0)
      expect(await pod.log(MAIN)).toMatch(/kept[^]*no courier/)
      await pod.terminate(KEEP)
      // As the provider tells it.
      await pod.exec(KEEP, ['/bin/sh', '-c', 'echo 0 > /berth/work/state/code'])
      expect(await pod.ended(KEEP)).toBe(0)
      expect(s3.get(`${ckpt}/last`)).toBe('last\n')
      expect(pod.words(KEEP)).toMatch(/^checkpoint \d+\n$/)
      expect(`${await pod.log(FETCH)}${await pod.log(KEEP)}`).not.toContain(s3.key.secret)
    })

    test('of a program that failed, nothing counts that was not seen to rest', async () => {
      s3.put('data/one', 'ONE')
      start()
      await pod.start(FETCH)
      await pod.ended(FETCH)
      await pod.start(KEEP)
      await pod.start(
        MAIN,
        'echo whole > /ckpt/whole; while [ ! -e /ckpt/go ]; do sleep 0.1; done; echo half > /ckpt/half; exit 3',
      )
      await vi.waitUntil(() => s3.get(`${ckpt}/whole`) !== undefined, soon)
      await pod.exec(MAIN, ['/bin/touch', '/ckpt/go'])
      expect(await pod.ended(MAIN)).toBe(3)
      await pod.terminate(KEEP)
      await pod.exec(KEEP, ['/bin/sh', '-c', 'echo 3 > /berth/work/state/code'])
      expect(await pod.ended(KEEP)).toBe(0)
      expect(s3.get(`${ckpt}/half`)).toBeUndefined()
    })

    test('when everything is saved, nobody has to say how the program ended', async () => {
      s3.put('data/one', 'ONE')
      start()
      await pod.start(FETCH)
      await pod.ended(FETCH)
      await pod.start(KEEP)
      await pod.start(MAIN, 'echo all > /ckpt/all; sleep 1')
      await vi.waitUntil(() => s3.get(`${ckpt}/all`) !== undefined, soon)
      await pod.ended(MAIN)
      await pod.terminate(KEEP)
      expect(await pod.ended(KEEP)).toBe(0)
    })

    test('what cannot be fetched is its last word', async () => {
      start({}, new Secret(s3.secret.reveal().replace('canary', 'wrong')))
      await pod.start(FETCH)
      expect(await pod.ended(FETCH)).toBe(74)
      expect(pod.words(FETCH)).toBe(
        `s3://${s3.bucket}/${ckpt} could not be fetched: access was denied; check the secret\n`,
      )
    })

    test('what cannot be saved is in the log, for the control plane to stop the program, and is the last word', async () => {
      s3.put('data/one', 'ONE')
      start()
      await pod.start(FETCH)
      await pod.ended(FETCH)
      await pod.start(KEEP)
      s3.lose()
      await pod.start(MAIN, 'echo 1 > /ckpt/step; sleep 1000')
      await vi.waitUntil(async () => /^berth: lost s3:.*could not be written/m.test(await pod.log(KEEP)), soon)
      await pod.terminate(KEEP)
      expect(await pod.ended(KEEP)).toBe(74)
      expect(pod.words(KEEP)).toMatch(/could not be written: there is no such bucket/)
    })
  },
)
