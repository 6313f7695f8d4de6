import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IS_WHOLE, sized } from '../../src/core/base/laws.suite.ts'
import { lackFor } from '../../src/providers/local/bench.suite.ts'
import { FakeCloud } from '../clouds/fake-cloud.ts'
import { fakeLambda } from '../clouds/lambda.ts'
import { IMAGE } from '../clouds/vm-runner/hostile.suite.ts'
import { RealDocker } from '../clouds/vm-runner/podman.suite.ts'
import { freePort, RealPlane, until } from '../plane/plane.ts'
import { PodmanVm } from './podman-vm.suite.ts'
import { S3, storageLack } from './s3.suite.ts'

const BYTES = sized({ quick: 1_000_000, whole: 1_000_000_000 })

/** Where the job finds its data and keeps its checkpoints, on whatever machine. */
const MOUNTS = join(tmpdir(), `berth-move-${process.pid}`)

/** It goes on from what it finds. The first attempt never ends; every later one makes three more steps. */
const JOB = `
cd ${MOUNTS}
step=$(cat ckpt/step 2> /dev/null || echo 0)
echo "$BERTH_EPOCH $step \${BERTH_RESUME_FROM_MS:-none} $(md5sum < data/file)" >> ckpt/history
last=$((step + 3))
while [ "$BERTH_EPOCH" = 1 ] || [ "$step" -lt "$last" ]; do
  step=$((step + 1))
  echo "$step" > ckpt/step.tmp
  mv ckpt/step.tmp ckpt/step
  [ "$step" -lt 2 ] || [ "$BERTH_EPOCH" != 1 ] || while :; do sleep 1; done
done
cat /proc/self/environ > ckpt/environ
`

const lack = storageLack() ?? lackFor(['podman', 'runc', 'conmon', 'python3'])
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(!IS_WHOLE || lack !== undefined)('a job that is moved to another provider', () => {
  let s3: S3
  let cloud: FakeCloud
  let docker: RealDocker
  let vm: PodmanVm
  let plane: RealPlane
  const folder = mkdtempSync(join(tmpdir(), 'berth-moved-'))

  beforeAll(async () => {
    s3 = await S3.start()
    cloud = await FakeCloud.open(fakeLambda, () => Date.now())
    docker = new RealDocker()
    await docker.start()
    vm = new PodmanVm(docker)
    cloud.engine.boot = (machine) => vm.boot(machine)
    const config = join(folder, 'berth.config.yaml')
    writeFileSync(
      config,
      'berth: v1\nkind: config\nproviders: { here: { kind: local, settings: { runtime: process } } }\n',
    )
    plane = new RealPlane({ folder: join(folder, 'data'), config })
    expect(await plane.start()).toBe(true)
  })
  afterAll(async () => {
    await plane.kill()
    vm.close()
    await docker.close()
    await cloud.close()
    await s3.close()
    rmSync(folder, { recursive: true, force: true })
    rmSync(MOUNTS, { recursive: true, force: true })
  })

  test(`goes on from its checkpoint, with ${BYTES / 1e6} MB of data, and its access is seen by nobody`, async () => {
    s3.put('data/file', Buffer.alloc(BYTES, 'berth'))
    const berth = plane.client({ tries: 'several', timeoutMs: 10_000 })
    await berth.setSecret({ project: 'default', name: 'S3_ACCESS', value: s3.secret.reveal() })
    await berth.setPlatformSecret({ name: 'LAMBDA_KEY', value: fakeLambda.key })
    const settings = {
      endpoint: cloud.url,
      internal: true,
      ssh_key: 'ops',
      inbound: true,
      status_port: await freePort(),
    }
    await berth.addProvider({ name: 'rented', kind: 'lambda', settings, credential: 'LAMBDA_KEY' })
    const storage = ['data', 'ckpt'].map((name) => {
      const mode = name === 'data' ? 'ro' : 'rw'
      return { mount: `${MOUNTS}/${name}`, from: `s3://${s3.bucket}/${name}`, mode, secret: 'S3_ACCESS' }
    })
    const manifest = {
      berth: 'v1',
      kind: 'job',
      name: 'train',
      image: IMAGE,
      command: ['/bin/sh', '-c', JOB],
      storage,
      checkpoint: { path: `${MOUNTS}/ckpt`, every: '1s' },
      migration: { on: ['drain'] },
      resources: { cpu: 1, memory: '1Gi' },
    }
    const at = { project: 'default', name: 'train' }
    await berth.apply({ ...at, text: JSON.stringify(manifest), file: 'train.yaml', idempotencyKey: 'train' })
    const view = async () => {
      const { state, slots, waiting } = await berth.workload(at)
      return `${state} ${slots.map(({ provider }) => provider)} ${waiting?.text ?? ''}; ${vm.said}`
    }
    await until('its checkpoint is in the store', { withinMs: 120_000 }, async () =>
      s3.get('ckpt/step') === '2\n' ? { found: true } : `${await view()} ${s3.list('ckpt')}`,
    )
    await until('its time is known', { withinMs: 60_000 }, async () => {
      const [slot] = (await berth.workload(at)).slots
      return slot?.checkpoint_ms === undefined ? 'no checkpoint was seen' : { found: true }
    })
    expect(seenBy(s3.key.secret, join(folder, 'data'))).toEqual([])
    await berth.setProvider({ name: 'here', state: 'draining' })
    await until('it is done', { withinMs: 240_000 }, async () => {
      const said = await view()
      return said.startsWith('done') ? { found: true } : `${said} ${s3.list('ckpt')}`
    })
    expect(cloud.engine.machines).toHaveLength(1)
    const history = s3.get('ckpt/history')?.trim().split('\n') ?? []
    const [first, second] = history.map((line) => line.split(' '))
    expect(first?.slice(0, 3)).toEqual(['1', '0', 'none'])
    expect(second?.slice(0, 2)).toEqual(['2', '2'])
    expect(Math.abs(Number(second?.[2]) - Date.now())).toBeLessThan(600_000)
    expect(second?.slice(3)).toEqual(first?.slice(3))
    expect(s3.get('ckpt/step')).toBe('5\n')
    expect(seenBy(s3.key.secret, join(folder, 'data'))).toEqual([])
    expect(seenBy(s3.key.secret, join(docker.folder, 'var'))).toEqual([])
    expect(s3.get('ckpt/environ')).not.toContain(s3.key.secret)
    expect(JSON.stringify(await berth.attempts(at))).not.toContain(s3.key.secret)
  })
})

/** Who has it besides rclone: files but those that only rclone is pointed to, command lines, environments. */
function seenBy(value: string, folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => basename(path) !== 'access' && statSync(path, { throwIfNoEntry: false })?.isFile() === true)
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
