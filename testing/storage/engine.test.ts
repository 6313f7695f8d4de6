import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import type { Volume } from '../../src/core/manifest/manifest.ts'
import { lacksOf, type Instance, type Provider } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import { freshTag } from '../../src/providers/contract/bench.suite.ts'
import {
  buildImage,
  endAll,
  lackFor,
  openLocal,
  realDeps,
  sampleOrder,
  storeFlags,
} from '../../src/providers/local/bench.suite.ts'
import { S3, storageLack } from './s3.suite.ts'

const lack = storageLack() ?? lackFor(['podman', 'runc', 'conmon'])
if (lack !== undefined) test.skip(lack, () => undefined)

/** The real command of docker is tried in front of podman's service, which speaks its language. */
const ENGINES = IS_WHOLE && lackFor(['docker']) === undefined ? (['podman', 'docker'] as const) : (['podman'] as const)

describe.skipIf(!IS_WHOLE || lack !== undefined).each(ENGINES)(
  'storage of containers with %s and a real S3 server',
  (runtime) => {
    const store = mkdtempSync(join(tmpdir(), 'berth-podman-'))
    const deps = realDeps()
    const call = { signal: AbortSignal.timeout(600_000), requestId: 'r' }
    const socket = join(store, 'engine.sock')
    // No run_flags: what this host allows is found out first.
    const flags = runtime === 'podman' ? storeFlags(store) : ['--host', `unix://${socket}`]
    const settings = { runtime, gpus: [], cpu: 8, memory: '8Gi', engine_flags: flags }
    let service: ChildProcess | undefined
    let s3: S3
    let host: Provider
    beforeAll(async () => {
      buildImage(store, storeFlags(store))
      const serve = [...storeFlags(store), 'system', 'service', '--time', '0', `unix://${socket}`]
      if (runtime === 'docker') {
        service = spawn('podman', serve, { stdio: 'ignore' })
        await vi.waitUntil(() => existsSync(socket), { timeout: 20_000 })
      }
      s3 = await S3.start()
      host = await openLocal(settings, deps)
    })
    afterAll(async () => {
      await endAll(host)
      await host.close?.()
      execFileSync('podman', [...storeFlags(store), 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
      const ended = service && once(service, 'exit')
      service?.kill('SIGTERM')
      await ended
      await s3.close()
      for (const folder of [deps.folder, store]) rmSync(folder, { recursive: true, force: true })
    })

    const entry = (name: string, change: Partial<Volume> = {}): Volume => {
      const from = `s3://${s3.bucket}/${name}`
      return { mount: `/m/${name}`, from, mode: 'ro', sizeGib: undefined, secret: 'S3', ...change }
    }

    async function launch(storage: readonly Volume[], script: string, secret: Secret = s3.secret, everySeconds = 1) {
      const command = ['/bin/sh', '-c', script]
      const checkpoint = { path: '/m/ck', everySeconds }
      const order = { ...sampleOrder({ kind: 'long' }, 'image'), command, storage, checkpoint, tag: freshTag() }
      const given = { ...call, secrets: new Map(), storageSecrets: new Map([['S3', secret]]) }
      expect(await host.launch(order, given)).toMatchObject({ ok: true })
      return { tag: order.tag, instance: undefined, again: () => host.launch(order, given) }
    }

    type Ref = Awaited<ReturnType<typeof launch>>

    async function seen(ref: Ref, isSo: (instance: Instance) => boolean): Promise<Instance> {
      return vi.waitUntil(
        async () => {
          const answer = await host.describe(ref, call)
          return answer.ok && answer.value.state !== 'absent' && isSo(answer.value) && answer.value
        },
        { timeout: 60_000, interval: 100 },
      )
    }

    const isEnded = ({ state }: Instance): boolean => state === 'ended'
    const courierOf = ({ tag }: Ref): number =>
      Number(readFileSync(join(deps.folder, 'storage', tag.attempt, 'state/pid'), 'utf8'))

    async function logOf(ref: Ref): Promise<readonly string[]> {
      const lines: string[] = []
      for await (const { text } of host.logs?.(ref, { follow: false, tail: undefined }, call) ?? []) lines.push(text)
      return lines
    }

    test('it can have both, and says so', () => {
      expect(lacksOf(host.can)).toEqual(['gangs', 'ray'])
    })

    test('the program sees data, a checkpoint is told, and its access is seen by nobody', async () => {
      s3.put('data/one', 'ONE')
      const empty = { ...entry('empty', { mode: 'rw', sizeGib: 1 }), from: undefined }
      const script = `cat /m/data/one > /m/ck/step; touch /m/data/x || echo kept; touch /m/empty/mine; env
      trap 'exit 0' TERM; while :; do sleep 0.1; done`
      const ref = await launch([entry('data'), empty, entry('ck', { mode: 'rw' })], script)
      expect(await ref.again()).toMatchObject({ ok: true })
      const { checkpointMs = 0 } = await seen(ref, (instance) => instance.checkpointMs !== undefined)
      expect(Math.abs(checkpointMs - Date.now())).toBeLessThan(60_000)
      expect(s3.get('ck/step')).toBe('ONE')
      expect(await host.exec?.(ref, ['/bin/cat', '/m/data/one'], call)).toMatchObject({
        value: { code: 0, out: 'ONE' },
      })
      expect(holders(s3.key.secret, [deps.folder, store])).toEqual([])
      await host.stop(ref, call)
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'code', code: 0 } })
      const said = await logOf(ref)
      expect(said).toContain('kept')
      expect(said).toContain(`berth: fetching s3://${s3.bucket}/data`)
      expect(said.join('\n')).not.toContain(s3.key.secret)
      await vi.waitUntil(() => !readdirSync(join(deps.folder, 'storage', ref.tag.attempt)).includes('entries'))
    })

    test('what is larger than a copy may be is mounted, and nothing stays mounted', async () => {
      s3.put('data/one', 'ONE')
      const ref = await launch([entry('data', { sizeGib: 100 })], 'cat /proc/mounts /m/data/one')
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'code', code: 0 } })
      expect((await logOf(ref)).join('\n')).toMatch(/ \/m\/data fuse.rclone ro,[^]*\nONE$/)
      expect(readFileSync('/proc/mounts', 'utf8')).not.toContain(deps.folder)
    })

    test('what it leaves at its end is saved before it counts as ended, and its exit code passes', async () => {
      const ref = await launch([entry('ck', { mode: 'rw' })], 'echo last > /m/ck/last')
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'code', code: 0 } })
      expect(s3.get('ck/last')).toBe('last\n')
      // An engine may take a while to tell of an end, and what rests for two rounds is taken for whole.
      const other = await launch([entry('ck', { mode: 'rw' })], 'echo half > /m/ck/half; exit 3', s3.secret, 60)
      expect(await seen(other, isEnded)).toMatchObject({ exit: { kind: 'code', code: 3 } })
      expect(s3.get('ck/half')).toBeUndefined()
    })

    test('while data is fetched it is starting, across a restart of Berth, and it can be stopped', async () => {
      s3.cut()
      const ref = await launch([entry('data')], 'cat /m/data/one; sleep 100')
      expect(await seen(ref, () => true)).toMatchObject({ state: 'starting' })
      await host.close?.()
      host = await openLocal(settings, deps)
      expect(await seen(ref, () => true)).toMatchObject({ state: 'starting' })
      expect(await host.stop(ref, call)).toEqual({ ok: true, value: { gone: true } })
      await vi.waitUntil(() => !isAlive(courierOf(ref)))
      s3.mend()
      expect(await host.describe(ref, call)).toEqual({ ok: true, value: { state: 'absent' } })
    })

    test('a courier that is killed is followed by another one, which fetches nothing again', async () => {
      s3.put('ck/step', '1')
      const ref = await launch(
        [entry('ck', { mode: 'rw' })],
        'echo 2 > /m/ck/step; while [ ! -e /m/ck/go ]; do sleep 0.1; done; echo 3 > /m/ck/step',
      )
      await vi.waitUntil(() => s3.get('ck/step') === '2\n', { timeout: 30_000 })
      process.kill(-courierOf(ref), 'SIGKILL')
      // As after a restart, when nothing is known of when it was started.
      await host.close?.()
      host = await openLocal(settings, deps)
      await host.exec?.(ref, ['/bin/touch', '/m/ck/go'], call)
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'code', code: 0 } })
      expect(s3.get('ck/step')).toBe('3\n')
    })

    test('what cannot be fetched, or not be saved, is told as the cause', async () => {
      const wrong = new Secret(s3.secret.reveal().replace('canary', 'wrong'))
      const ref = await launch([entry('data')], 'echo never', wrong)
      const why = `s3://${s3.bucket}/data could not be fetched: access was denied; check the secret`
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'storage', why } })
      expect(await logOf(ref)).not.toContain('never')
    })

    test('a program that its image does not have is told as such', async () => {
      const order = { ...sampleOrder({ kind: 'bad' }, 'image'), storage: [entry('data')], tag: freshTag() }
      const given = { ...call, secrets: new Map(), storageSecrets: new Map([['S3', s3.secret]]) }
      const answer = await host.launch(order, given)
      expect(answer).toMatchObject({ ok: true })
      const ref = { tag: order.tag, instance: undefined, again: () => host.launch(order, given) }
      expect(await seen(ref, isEnded)).toMatchObject({ exit: { kind: 'start', why: expect.stringMatching(/no such/) } })
      expect(await host.stop(ref, call)).toEqual({ ok: true, value: { gone: true } })
    })
  },
)

/** Who has it besides rclone: files but those that only rclone is pointed to, command lines, environments. */
function holders(value: string, folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => basename(path) !== 'access' && statSync(path, { throwIfNoEntry: false })?.isFile() === true),
  )
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => [`/proc/${pid}/cmdline`, `/proc/${pid}/environ`])
    .filter((path) => !readOrNothing(path.replace(/[a-z]+$/, 'comm')).startsWith('rclone'))
  return [...files, ...processes].filter((path) => readOrNothing(path).includes(value))
}

function readOrNothing(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  return readOrNothing(`/proc/${pid}/cmdline`).includes('courier')
}
