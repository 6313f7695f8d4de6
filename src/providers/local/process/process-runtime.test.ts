import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Order } from '../../../core/keep/order.ts'
import type { Described, Provider, ProviderDoors } from '../../../ports/provider.ts'
import { becomes, call, freshTag, isOver, isUp, launchCall, stopped, within, yes } from '../../contract-bench.suite.ts'
import { endAll, openLocal, realDoors, sampleOrder } from '../bench.suite.ts'
import { writeNote } from '../note.ts'
import { processesWith, readIdentity } from './process-table.ts'
import { SHIM } from './shim.ts'

const SETTINGS = { runtime: 'process', gpus: [], cpu: 4, memory: '8Gi', ports: '22000-22099', log: '64Ki' }

let provider: Provider
let doors: ProviderDoors
/** Moves the clock of the provider forward. */
let aheadMs = 0
const children: ChildProcess[] = []

beforeEach(async () => {
  const real = realDoors()
  aheadMs = 0
  doors = { ...real, clock: { ...real.clock, nowMs: () => real.clock.nowMs() + aheadMs } }
  provider = await openLocal(SETTINGS, doors)
})

afterEach(async () => {
  aheadMs += 60_000
  await endAll(provider)
  await provider.close?.()
  for (const child of children.splice(0)) child.kill('SIGKILL')
  rmSync(doors.folder, { recursive: true, force: true })
}, 60_000)

function orderOf(command: readonly string[], change: Partial<Order> = {}): Order {
  return { ...sampleOrder({ kind: 'long' }), command, tag: freshTag(), ...change }
}

const bench = { pass: (ms: number) => pause(ms) }

async function launchUp(order: Order): Promise<{ readonly tag: Order['tag']; readonly instance: undefined }> {
  yes(await provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes({ ...bench, provider }, ref, isUp)
  return ref
}

async function linesOf(tag: Order['tag']): Promise<readonly string[]> {
  const lines: string[] = []
  const want = { follow: false, tail: undefined }
  for await (const { text } of provider.logs?.({ tag, instance: undefined }, want, call()) ?? []) lines.push(text)
  return lines
}

function fileOf(attempt: string, file: string): string {
  return join(doors.folder, 'attempts', attempt, file)
}

test('an order that was noted by a Berth that died before it started anything is started by the next call', async () => {
  const order = orderOf(['/bin/sleep', '60'])
  const { attempt } = order.tag
  mkdirSync(fileOf(attempt, 'work'), { recursive: true })
  const claim = { cpuMilli: 0, memoryMib: 0, diskMib: 0, cards: [] }
  writeFileSync(fileOf(attempt, 'order'), writeNote({ tag: order.tag, ports: [], claim }))
  const ref = { tag: order.tag, instance: undefined }
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  await launchUp(order)
})

test('an order that was noted and never started can be stopped, and never starts after that', async () => {
  const order = orderOf(['/bin/sleep', '60'])
  const { attempt } = order.tag
  mkdirSync(fileOf(attempt, 'work'), { recursive: true })
  const claim = { cpuMilli: 0, memoryMib: 0, diskMib: 0, cards: [] }
  writeFileSync(fileOf(attempt, 'order'), writeNote({ tag: order.tag, ports: [], claim }))
  const ref = { tag: order.tag, instance: undefined }
  expect(yes(await provider.stop(ref, call()))).toEqual({ gone: true })
  yes(await provider.launch(order, launchCall()))
  const shim = spawn('/bin/sh', [join(doors.folder, 'shim.sh'), fileOf(attempt, ''), '1000', '/bin/sleep', '60'])
  expect(await new Promise((resolve) => shim.once('exit', resolve))).toBe(0)
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'ended', exit: { kind: 'start' } })
})

test('a workload outlives a Berth that is killed right after the launch, and is not started twice', async () => {
  const order = orderOf(['/bin/sh', '-c', 'echo begun; exec sleep 60'])
  const script = `
    const { localKind } = await import(${JSON.stringify(new URL('../kind.ts', import.meta.url).href)})
    const quiet = () => undefined
    const provider = await localKind.configure(${JSON.stringify(SETTINGS)}).open('here', {
      clock: { nowMs: Date.now, tickMs: () => performance.now() },
      log: { info: quiet, warn: quiet, error: quiet },
      folder: ${JSON.stringify(doors.folder)},
    })
    const call = { signal: new AbortController().signal, requestId: 'one', secrets: new Map() }
    await provider.launch(${JSON.stringify(order)}, call)
    process.kill(process.pid, 'SIGKILL')`
  const berth = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  expect(await new Promise((resolve) => berth.once('exit', (_, signal) => resolve(signal)))).toBe('SIGKILL')
  await launchUp(order)
  await within(bench, async () => (await linesOf(order.tag)).length > 0)
  expect(await linesOf(order.tag)).toEqual(['begun'])
})

test('what does not end on SIGTERM is killed after ten seconds, with all that it started', async () => {
  const stubborn = 'trap "" TERM; setsid sleep 1000 & while :; do sleep 1; done'
  const ref = await launchUp(orderOf(['/bin/sh', '-c', stubborn]))
  await within(bench, async () => processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`).length >= 5)
  expect(yes(await provider.stop(ref, call()))).toEqual({ gone: false })
  expect(yes(await provider.stop(ref, call()))).toEqual({ gone: false })
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'up' })
  aheadMs += 10_000
  await stopped({ ...bench, provider }, ref)
  expect(yes(await provider.describe(ref, call()))).toMatchObject({
    state: 'ended',
    exit: { kind: 'signal', signal: 'SIGKILL' },
  })
  expect(processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`)).toEqual([])
})

test('a process that got the number of a dead one is not taken for it and not touched', async () => {
  const order = orderOf(['/bin/sleep', '60'])
  const ref = await launchUp(order)
  const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: {} })
  children.push(stranger)
  const started = readFileSync(fileOf(order.tag.attempt, 'started'), 'utf8')
  const identity = readIdentity(started)
  process.kill(-(identity?.pid ?? 0), 'SIGKILL')
  rmSync(fileOf(order.tag.attempt, 'started'))
  writeFileSync(fileOf(order.tag.attempt, 'started'), started.replace(/^\d+/, String(stranger.pid)))
  provider = await openLocal(SETTINGS, doors)
  await becomes({ ...bench, provider }, ref, isOver)
  await stopped({ ...bench, provider }, ref)
  expect(stranger.signalCode).toBeNull()
  expect(process.kill(stranger.pid ?? 0, 0)).toBe(true)
})

test('a workload whose shim was killed still counts as running, and can be stopped', async () => {
  const order = orderOf(['/bin/sleep', '1000'])
  const ref = await launchUp(order)
  const identity = readIdentity(readFileSync(fileOf(order.tag.attempt, 'started'), 'utf8'))
  process.kill(identity?.pid ?? 0, 'SIGKILL')
  await within(bench, async () => !processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`).includes(identity?.pid ?? 0))
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'up' })
  await stopped({ ...bench, provider }, ref)
  expect(processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`)).toEqual([])
})

test('a workload whose shim was killed is seen to end, although nobody waited for it', async () => {
  writeFileSync(join(doors.folder, 'shim.sh'), SHIM.replace('sleep 10', 'sleep 0.1'))
  const order = orderOf(['/bin/sh', '-c', 'read -r _ < /proc/$$/stat; while [ ! -e "$STOP_FILE" ]; do sleep 0.1; done'])
  const file = join(doors.folder, 'stop-now')
  const ref = await launchUp({ ...order, env: { ...order.env, STOP_FILE: file } })
  const identity = readIdentity(readFileSync(fileOf(order.tag.attempt, 'started'), 'utf8'))
  process.kill(identity?.pid ?? 0, 'SIGKILL')
  writeFileSync(file, '')
  await becomes({ ...bench, provider }, ref, isOver)
  expect(processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`)).toEqual([])
})

test('after a restart of the host what ran before has ended with its machine', async () => {
  const order = orderOf(['/bin/sleep', '60'])
  yes(await provider.launch(order, launchCall()))
  const { attempt } = order.tag
  await within(bench, async () => readOrEmpty(fileOf(attempt, 'started')) !== '')
  const started = readFileSync(fileOf(attempt, 'started'), 'utf8')
  process.kill(-(readIdentity(started)?.pid ?? 0), 'SIGKILL')
  rmSync(fileOf(attempt, 'started'))
  writeFileSync(fileOf(attempt, 'started'), started.replace(/\S+\n$/, '00000000-dead-4000-8000-000000000000\n'))
  provider = await openLocal(SETTINGS, doors)
  const described: Described = yes(await provider.describe({ tag: order.tag, instance: undefined }, call()))
  expect(described).toMatchObject({ state: 'ended', exit: { kind: 'machine' } })
})

test('the environment has what the manifest says, the ports, and nothing of Berth itself', async () => {
  process.env['BERTH_TEST_KEY'] = 'must not be passed on'
  const ports = [
    { name: 'http', port: 22_050, health: undefined, expose: 'private' },
    { name: 'meter-readings', port: 22_050, health: undefined, expose: 'private' },
  ] as const
  const env = { GREETING: 'hello\n"$HOME"', folder: 'mine', PATH: '/usr/bin:/bin:/opt/x' }
  const order = orderOf(['env', '-0'], { env, ports })
  yes(await provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes({ ...bench, provider }, ref, isOver)
  const printed = readFileSync(fileOf(order.tag.attempt, 'log'), 'utf8').split('\0')
  expect(printed).toEqual(expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)))
  expect(printed).toEqual(expect.arrayContaining(['PORT=22050', 'PORT_HTTP=22050', 'PORT_METER_READINGS=22000']))
  expect(printed.join(' ')).not.toContain('BERTH_TEST_KEY')
  delete process.env['BERTH_TEST_KEY']
})

test('what has ended is forgotten after an hour, but a call that comes late still starts nothing', async () => {
  const order = orderOf(['/bin/echo', 'once'])
  yes(await provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes({ ...bench, provider }, ref, isOver)
  expect(await linesOf(order.tag)).toEqual(['once'])
  await stopped({ ...bench, provider }, ref)
  aheadMs += 2 * 3_600_000
  yes(await provider.list(order.tag.owner, call()))
  expect(yes(await provider.describe(ref, call()))).toEqual({ state: 'absent' })
  yes(await provider.launch(order, launchCall()))
  expect(yes(await provider.describe(ref, call()))).toEqual({ state: 'absent' })
  expect(yes(await provider.list(order.tag.owner, call())).instances).toEqual([])
})

test('a damaged note makes the list incomplete and hides nothing else', async () => {
  const ref = await launchUp(orderOf(['/bin/sleep', '60']))
  mkdirSync(fileOf('damaged', ''), { recursive: true })
  writeFileSync(fileOf('damaged', 'order'), '{"version":1,"tag":')
  const { instances, complete } = yes(await provider.list(ref.tag.owner, call()))
  expect(complete).toBe(false)
  expect(instances.map(({ tag }) => tag.attempt)).toContain(ref.tag.attempt)
})

test('a log that grows is cut, and its end is kept', async () => {
  // The pace of the real one is slow; everything else is as it is.
  writeFileSync(join(doors.folder, 'shim.sh'), SHIM.replace('sleep 10', 'sleep 0.1'))
  const script = 'n=0; while [ $n -lt 30000 ]; do n=$((n+1)); echo "line $n of many"; done; sleep 1; echo the end'
  const order = orderOf(['/bin/sh', '-c', script])
  yes(await provider.launch(order, launchCall()))
  await becomes({ ...bench, provider }, { tag: order.tag, instance: undefined }, isOver)
  const lines = await linesOf(order.tag)
  expect(lines.at(-1)).toBe('the end')
  expect(lines.length).toBeLessThan(15_000)
})

test('what comes after an hour of ending by itself is still there', async () => {
  const order = orderOf(['/bin/echo', 'once'])
  yes(await provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes({ ...bench, provider }, ref, isOver)
  const past = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(fileOf(order.tag.attempt, 'exit'), past, past)
  yes(await provider.list(order.tag.owner, call()))
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'ended', exit: { kind: 'code', code: 0 } })
})

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
