import { expect, test } from 'vitest'
import { freshTag } from '../../contract/bench.suite.ts'
import { sampleOrder } from '../bench.suite.ts'
import { claimOf, writeNote, type Note } from '../note.ts'
import { Secret } from '../../../ports/secret.ts'
import { refuseOrder, runArgs } from './args.ts'
import { faultOf, readContainers } from './read.ts'
import { isAboutHost } from './flags.ts'

const order = { ...sampleOrder({ kind: 'serve' }), tag: freshTag() }
const note: Note = {
  tag: order.tag,
  ports: [{ name: 'http', port: 18_080, health: '/', host: undefined }],
  claim: claimOf(order, []),
}

function inspected(state: Readonly<Record<string, unknown>>, ports: Readonly<Record<string, unknown>> = {}): string {
  const entry = {
    State: state,
    Config: { Labels: { 'berth.note': writeNote(note) } },
    NetworkSettings: { Ports: ports },
  }
  return JSON.stringify([entry])
}

test('a container that runs has the addresses of its ports', () => {
  const ports = { '18080/tcp': [{ HostIp: '127.0.0.1', HostPort: '38179' }] }
  const [container] = readContainers(inspected({ Status: 'running' }, ports))
  expect(container).toMatchObject({
    isUnstarted: false,
    run: { note, state: 'up', ports: { http: { host: '127.0.0.1', port: 38179, tls: false } } },
  })
})

test.each([
  [
    { Status: 'exited', ExitCode: 3 },
    { kind: 'code', code: 3 },
  ],
  [{ Status: 'exited', ExitCode: 137, OOMKilled: true }, { kind: 'out-of-memory' }],
  [
    { Status: 'exited', ExitCode: 143 },
    { kind: 'signal', signal: 'SIGTERM' },
  ],
  [{ Status: 'dead' }, undefined],
])('how it ended is told: %j', (state, exit) => {
  expect(readContainers(inspected(state))[0]?.run).toMatchObject({ state: 'ended', exit })
})

test('one that was made and never started is on its way', () => {
  expect(readContainers(inspected({ Status: 'created' }))[0]).toMatchObject({
    isUnstarted: true,
    run: { state: 'starting' },
  })
})

test('an entry that cannot be understood is kept as a hole', () => {
  expect(readContainers('[{"State":{"Status":"running"}}]')).toEqual([undefined])
  expect(readContainers('')).toEqual([])
})

test.each([
  [
    'Error: crun: executable file `/no` not found in $PATH: No such file or directory: OCI runtime attempted to invoke a command that was not found',
    'BAD_REQUEST',
  ],
  ['Error: initializing source docker://x: reading manifest 9 in docker.io/x: manifest unknown', 'BAD_REQUEST'],
  ['Error: pinging container registry x: dial tcp 127.0.0.1:443: connect: connection refused', 'TRANSIENT'],
  ['something that nobody has ever seen', 'TRANSIENT'],
])('%s', (complaint, faultClass) => {
  expect(faultOf(complaint).class).toBe(faultClass)
})

test('other flags are tried for limits of the host, and not for a registry that says no', () => {
  expect(isAboutHost('error setting rlimit type 7: operation not permitted: OCI permission denied')).toBe(true)
  expect(isAboutHost('denied: requested access to the resource is denied')).toBe(false)
  expect(isAboutHost('manifest unknown')).toBe(false)
})

test('values of secrets are never among the arguments, and cards are asked for in the words of the engine', () => {
  const secrets = new Map([['TOKEN', new Secret('canary')]])
  const given = { secrets, storageSecrets: new Map() }
  const start = { order: { ...order, shmGib: 8 }, note, ...given, cards: ['GPU-1', 'GPU-2'] }
  const how = { flags: ['--ulimit', 'nofile=1:1'], secretFile: '/a/file', inherited: ['KEY'] }
  const podman = runArgs(start, { ...how, program: 'podman' })
  expect(podman.join(' ')).not.toContain('canary')
  expect(podman).toEqual(
    expect.arrayContaining([
      '--env-file',
      '/a/file',
      'KEY',
      '--shm-size',
      '8192m',
      'nvidia.com/gpu=GPU-2',
      '127.0.0.1::18080',
      'PORT=18080',
    ]),
  )
  expect(runArgs(start, { ...how, program: 'docker' })).toEqual(
    expect.arrayContaining(['--gpus', '"device=GPU-1,GPU-2"']),
  )
})

test.each([
  [{ image: '--privileged' }, 'image'],
  [{ secrets: ['DOCKER_HOST'] }, 'secrets'],
  [{ secrets: ['PATH'] }, 'secrets'],
  [{ secrets: ['GODEBUG'] }, 'secrets'],
  [{ secrets: ['SSL_CERT_FILE'] }, 'secrets'],
  [{ secrets: ['REGISTRY_AUTH_FILE'] }, 'secrets'],
  [{ secrets: ['_CONTAINERS_USERNS_CONFIGURED'] }, 'secrets'],
  [{ secrets: ['all_proxy'] }, 'secrets'],
  [{ storage: [{ mount: '/data', from: 's3://a/b', mode: 'ro', sizeGib: undefined }] }, 'storage'],
  [{ storage: [{ mount: '/data,readonly', from: undefined, mode: 'ro', sizeGib: 1 }] }, 'storage'],
] as const)('an order that the engine would take for something else is refused: %j', (change, key) => {
  const able = { objectStorage: false }
  expect(refuseOrder({ ...order, ...change }, able)).toMatch(new RegExp(`^${key}: `))
  expect(refuseOrder({ ...order, secrets: ['SSH_PRIVATE_KEY', 'GOOGLE_API_KEY', 'PATHS'] }, able)).toBeUndefined()
})
