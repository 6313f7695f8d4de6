import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RUNNER } from '../../../src/providers/cloud/vm/runner.ts'
import type { VmWork } from '../../../src/providers/cloud/vm/plan.ts'
import { FakeDocker, GOOD } from './fake-docker.suite.ts'
import { FakeMetadata } from './fake-metadata.suite.ts'

const HAS_PYTHON = spawnSync('python3', ['--version']).status === 0

const CREATE = { Image: 'a/b:1', Env: ['A=$(id) "\n💥'], Cmd: ["it's", '--privileged'] }
const WORK: VmWork = {
  attempt: 'a1',
  name: 'berth',
  pull: { fromImage: 'a/b:1' },
  create: CREATE,
  port: 0,
  patience: 0,
}

describe.skipIf(!HAS_PYTHON)('the runner on a virtual machine (needs python3)', () => {
  let folder: string
  let docker: FakeDocker
  const children: ChildProcess[] = []
  let more: Readonly<Record<string, string>> = {}
  beforeEach(async () => {
    more = {}
    folder = mkdtempSync(join(tmpdir(), 'berth-runner-'))
    docker = new FakeDocker()
    docker.server.listen(join(folder, 'docker.sock'))
    await once(docker.server, 'listening')
  })
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
    docker.server.closeAllConnections()
    docker.server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  function start(work: VmWork): ChildProcess {
    writeFileSync(join(folder, 'work.json'), JSON.stringify(work))
    writeFileSync(join(folder, 'runner.py'), RUNNER)
    const env = {
      PATH: process.env['PATH'],
      BERTH_WORK: join(folder, 'work.json'),
      BERTH_DOCKER: join(folder, 'docker.sock'),
      ...more,
    }
    const child = spawn('python3', [join(folder, 'runner.py')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    return child
  }

  async function lastWord(work: VmWork): Promise<unknown> {
    const child = start(work)
    let said = ''
    child.stdout?.on('data', (part) => (said += String(part)))
    await once(child, 'exit')
    return JSON.parse(said)
  }

  test('starts the container exactly as it was ordered, once, and tells its exit code', async () => {
    docker.replies = GOOD
    expect(await lastWord(WORK)).toEqual({ state: 'ended', code: 7 })
    expect(docker.created).toEqual(CREATE)
    expect(docker.asked.filter((each) => each.startsWith('POST'))).toEqual([
      'POST /images/create?fromImage=a%2Fb%3A1',
      'POST /containers/create?name=berth',
      'POST /containers/berth/start',
      'POST /containers/berth/wait',
    ])
  })

  test('says what became of its storage, and starts nothing without its data', async () => {
    docker.replies = GOOD
    const courier = join(folder, 'courier.sh')
    const told = (task: string): string =>
      `#!/bin/sh\nmkdir -p "$2/state"\n[ "$1" != ${task} ] || { echo why > "$2/state/failed"; exit 74; }\n`
    const work = { ...WORK, storage: { courier, folder: join(folder, 'storage'), isFetched: false } }
    writeFileSync(courier, told('fetch'))
    expect(await lastWord(work)).toEqual({ state: 'ended', storage: true, why: 'why' })
    expect(docker.created).toBeUndefined()
    rmSync(join(folder, 'storage'), { recursive: true })
    writeFileSync(courier, told('finish'))
    expect(await lastWord(work)).toEqual({ state: 'ended', storage: true, why: 'why' })
    rmSync(join(folder, 'storage'), { recursive: true })
    writeFileSync(courier, told('none'))
    expect(await lastWord(work)).toEqual({ state: 'ended', code: 7 })
  })

  describe('in a gang', () => {
    const hosts = ['g-0.berth.internal', 'g-1.berth.internal']
    const members = ['a0', 'a1'].map((attempt) => ({
      ...WORK,
      attempt,
      create: { ...CREATE, Env: [attempt], HostConfig: {} },
    }))
    const work = { ...WORK, gang: { hosts, members } }
    let metadata: FakeMetadata
    beforeEach(async () => {
      docker.replies = GOOD
      metadata = await FakeMetadata.start()
      more = { BERTH_METADATA: metadata.address, PATH: `${folder}:${process.env['PATH']}` }
      iptables('[ "$1" != -C ] || exit 1\necho "$@" >> "$0.log"')
    })
    afterEach(() => metadata.close())

    function iptables(script: string): void {
      writeFileSync(join(folder, 'iptables'), `#!/bin/sh\n${script}\n`, { mode: 0o700 })
    }

    test('does the work of its own member, knows the others, and closes the metadata to the container first', async () => {
      metadata.says = {
        'ami-launch-index': '1',
        'tags/instance/berth-peers-0': '2:10.0.0.4',
        'tags/instance/berth-peers-1': '10.0.0.5',
      }
      expect(await lastWord(work)).toEqual({ state: 'ended', code: 7 })
      expect(docker.created).toMatchObject({
        Env: ['a1'],
        HostConfig: { ExtraHosts: ['g-0.berth.internal:10.0.0.4', 'g-1.berth.internal:10.0.0.5'] },
      })
      expect(readFileSync(join(folder, 'iptables.log'), 'utf8')).toBe('-I OUTPUT -d 169.254.169.254/32 -j DROP\n')
      expect(metadata.withoutToken).toBe(0)
      // It is closed for the runner, too: what it was told it has kept.
      metadata.says = {}
      expect(await lastWord(work)).toEqual({ state: 'ended', code: 7 })
    })

    test('waits until it is told where the others are', async () => {
      metadata.says = { 'ami-launch-index': '0' }
      metadata.onAsked = (count) => {
        if (count === 20) metadata.says = { ...metadata.says, 'tags/instance/berth-peers-0': '1:10.0.0.4,10.0.0.5' }
      }
      expect(await lastWord(work)).toEqual({ state: 'ended', code: 7 })
      expect(docker.created).toMatchObject({ Env: ['a0'] })
    })

    test.each([
      ['nobody tells it of the others', { 'ami-launch-index': '0' }, 'were not named'],
      [
        'it is told of too few',
        { 'ami-launch-index': '0', 'tags/instance/berth-peers-0': '1:10.0.0.4' },
        'were not named',
      ],
      ['it does not know who it is', {}, 'which member'],
      ['it is none of them', { 'ami-launch-index': '2' }, 'which member'],
    ])('starts nothing if %s', async (_, says, why) => {
      metadata.says = says
      expect(await lastWord(work)).toMatchObject({ state: 'ended', why: expect.stringContaining(why) })
      expect(docker.created).toBeUndefined()
    })

    test('starts nothing that could read what its machine was told', async () => {
      metadata.says = { 'ami-launch-index': '0', 'tags/instance/berth-peers-0': '1:10.0.0.4,10.0.0.5' }
      iptables('exit 1')
      expect(await lastWord(work)).toMatchObject({
        state: 'ended',
        why: expect.stringContaining('could not be closed'),
      })
      expect(docker.created).toBeUndefined()
    })
  })

  test('starts nothing again after a reboot', async () => {
    docker.replies = { ...GOOD, 'GET /containers/berth/json': [200, { Id: 'c1' }] }
    expect(await lastWord(WORK)).toEqual({ state: 'ended', code: 7 })
    expect(docker.created).toBeUndefined()
  })

  test.each([
    ['POST /images/create', 'the image could not be fetched'],
    ['POST /containers/create', 'the container was refused'],
    ['POST /containers/berth/start', 'the container did not start'],
    ['GET /_ping', 'docker does not answer'],
  ])('says what went wrong when %s fails', async (step, why) => {
    docker.replies = { ...GOOD, [step]: [500, { message: 'no' }] }
    expect(await lastWord(WORK)).toMatchObject({ state: 'ended', why: expect.stringContaining(why) })
  })

  test('tells its state to those who know the attempt, and to nobody else', async () => {
    docker.replies = GOOD
    const port = await freePort()
    start({ ...WORK, port })
    let answer: { status: number; text: string } | undefined
    while (answer === undefined || !answer.text.includes('ended')) answer = await fetched(port, '/a1')
    expect(JSON.parse(answer.text)).toEqual({ attempt: 'a1', state: 'ended', code: 7 })
    expect(await fetched(port, '/a2')).toMatchObject({ status: 404 })
  })
})

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Proven: a server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Undefined: nothing listens there yet. */
function fetched(port: number, path: string): Promise<{ status: number; text: string } | undefined> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = ''
      response.on('data', (part) => (text += String(part)))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
    request.once('error', () => setImmediate(() => resolve(undefined)))
  })
}
