import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RUNNER } from '../../../src/providers/cloud/vm/runner.ts'
import type { VmWork } from '../../../src/providers/cloud/vm/plan.ts'
import { FakeDocker, GOOD } from './fake-docker.suite.ts'

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
  beforeEach(async () => {
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
