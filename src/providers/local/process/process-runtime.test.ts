import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { VARIABLES } from '../../../core/life/call/variables.ts'
import type { Described } from '../../../ports/provider.ts'
import { becomes, call, isOver, launchCall, stopped, within, yes } from '../../contract/bench.suite.ts'
import { NEEDS_MOUNT, ProcessBench, SETTINGS } from './process-bench.suite.ts'
import { findControlGroup } from './control-group.ts'
import { processesWith, readIdentity } from './process-table.ts'

const bench = new ProcessBench()
const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

test('an order that was noted by a Berth that died before it started anything is started by the next call', async () => {
  const order = bench.orderOf(['/bin/sleep', '60'])
  const ref = bench.note(order)
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  await bench.launchUp(order)
})

test('an order that was noted and never started can be stopped, and never starts after that', async () => {
  const order = bench.orderOf(['/bin/sleep', '60'])
  const { attempt } = order.tag
  const ref = bench.note(order)
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: true })
  yes(await bench.provider.launch(order, launchCall()))
  const shim = spawn('/bin/sh', [
    join(bench.deps.folder, 'shim.sh'),
    'run',
    bench.fileOf(attempt, ''),
    '1000',
    '',
    '/bin/sleep',
    '60',
  ])
  expect(await new Promise((resolve) => shim.once('exit', resolve))).toBe(0)
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'ended', exit: { kind: 'start' } })
})

test('a workload comes after Berth when both want the processor, however many processes it begins', async () => {
  // The kernel shares between sessions first where it groups by them, and by priority within one.
  const group = '/proc/self/autogroup'
  const script = `cut -d ' ' -f 19 /proc/self/stat; [ ! -e ${group} ] || until grep 'nice 5' ${group}; do sleep 0.1; done`
  const order = bench.orderOf(['/bin/sh', '-c', script])
  const ref = await bench.launch(order)
  await becomes(bench, ref, isOver)
  const [nice] = await bench.linesOf(order)
  expect(Number(nice)).toBe(Math.min(19, getPriority() + 5))
})

test('a workload outlives a Berth that is killed right after the launch, and is not started twice', async () => {
  const order = bench.orderOf(['/bin/sh', '-c', 'echo begun; exec sleep 60'])
  const script = `
    const { localKind } = await import(${JSON.stringify(new URL('../kind.ts', import.meta.url).href)})
    const quiet = () => undefined
    const settings = localKind.settings.parse(${JSON.stringify(SETTINGS)})
    const provider = await localKind.open('here', settings, {
      clock: { nowMs: Date.now, tickMs: () => performance.now() },
      log: { info: quiet, warn: quiet, error: quiet },
      folder: ${JSON.stringify(bench.deps.folder)},
    })
    const call = { signal: new AbortController().signal, requestId: 'one', secrets: new Map() }
    await provider.launch(${JSON.stringify(order)}, call)
    process.kill(process.pid, 'SIGKILL')`
  const berth = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'inherit' })
  expect(await new Promise((resolve) => berth.once('exit', (_, signal) => resolve(signal)))).toBe('SIGKILL')
  await bench.launchUp(order)
  await within(bench, async () => (await bench.linesOf(order)).length > 0)
  expect(await bench.linesOf(order)).toEqual(['begun'])
})

test('what does not end on SIGTERM is killed after ten seconds, with all that it started', async () => {
  const stubborn = 'trap "" TERM; setsid sleep 1000 & while :; do sleep 1; done'
  const ref = await bench.launchUp(bench.orderOf(['/bin/sh', '-c', stubborn]))
  await within(bench, async () => processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`).length >= 5)
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'up' })
  bench.passedMs += 10_000
  await stopped(bench, ref)
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({
    state: 'ended',
    exit: { kind: 'signal', signal: 'SIGKILL' },
  })
  expect(processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`)).toEqual([])
})

test('what a workload leaves behind that ended by itself is gone with the first call', async () => {
  const ref = await bench.launch(bench.orderOf(['/bin/sh', '-c', 'setsid sleep 1000 & exit 3']))
  await becomes(bench, ref, isOver)
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: true })
  expect(processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`)).toEqual([])
})

test('a process that got the number of a dead one is not taken for it and not touched', async () => {
  const order = bench.orderOf(['/bin/sleep', '60'])
  const ref = await bench.launchUp(order)
  const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore', env: {} })
  children.push(stranger)
  const started = readFileSync(bench.fileOf(order.tag.attempt, 'started'), 'utf8')
  const identity = readIdentity(started)
  process.kill(-(identity?.pid ?? 0), 'SIGKILL')
  rmSync(bench.fileOf(order.tag.attempt, 'started'))
  writeFileSync(bench.fileOf(order.tag.attempt, 'started'), started.replace(/^\d+/, String(stranger.pid)))
  await bench.reopen()
  await becomes(bench, ref, isOver)
  await stopped(bench, ref)
  expect(stranger.signalCode).toBeNull()
  expect(process.kill(stranger.pid ?? 0, 0)).toBe(true)
})

test('a workload whose shim was killed still counts as running, and can be stopped', async () => {
  const order = bench.orderOf(['/bin/sleep', '1000'])
  const ref = await bench.launchUp(order)
  await within(bench, async () => processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`).length >= 4)
  const identity = readIdentity(readFileSync(bench.fileOf(order.tag.attempt, 'started'), 'utf8'))
  process.kill(identity?.pid ?? 0, 'SIGKILL')
  await within(bench, async () => !processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`).includes(identity?.pid ?? 0))
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'up' })
  await stopped(bench, ref)
  expect(processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`)).toEqual([])
})

test('a workload whose shim was killed is seen to end, although no process waited for it', async () => {
  const order = bench.orderOf([
    '/bin/sh',
    '-c',
    'read -r _ < /proc/$$/stat; while [ ! -e "$STOP_FILE" ]; do sleep 0.1; done',
  ])
  const file = join(bench.deps.folder, 'stop-now')
  const ref = await bench.launchUp({ ...order, env: { ...order.env, STOP_FILE: file } })
  const identity = readIdentity(readFileSync(bench.fileOf(order.tag.attempt, 'started'), 'utf8'))
  process.kill(identity?.pid ?? 0, 'SIGKILL')
  writeFileSync(file, '')
  await becomes(bench, ref, isOver)
  expect(processesWith(`BERTH_ATTEMPT=${order.tag.attempt}`)).toEqual([])
})

test('after a restart of the host what ran before has ended with its machine', async () => {
  const order = bench.orderOf(['/bin/sleep', '60'])
  yes(await bench.provider.launch(order, launchCall()))
  const { attempt } = order.tag
  await within(bench, async () => readOrEmpty(bench.fileOf(attempt, 'started')) !== '')
  const started = readFileSync(bench.fileOf(attempt, 'started'), 'utf8')
  process.kill(-(readIdentity(started)?.pid ?? 0), 'SIGKILL')
  rmSync(bench.fileOf(attempt, 'started'))
  writeFileSync(bench.fileOf(attempt, 'started'), started.replace(/\S+\n$/, '00000000-dead-4000-8000-000000000000\n'))
  await bench.reopen()
  const described: Described = yes(await bench.provider.describe({ tag: order.tag, instance: undefined }, call()))
  expect(described).toMatchObject({ state: 'ended', exit: { kind: 'machine' } })
})

test('the environment has what the manifest says, the ports, and nothing of Berth itself', async () => {
  process.env['BERTH_TEST_KEY'] = 'must not be passed on'
  const ports = [
    { name: 'http', port: 22_050, health: undefined, expose: 'private' },
    { name: 'meter-readings', port: 22_050, health: undefined, expose: 'private' },
  ] as const
  const env = { GREETING: 'hello\n"$HOME"', folder: 'mine', PATH: '/usr/bin:/bin:/opt/x' }
  const order = bench.orderOf(['env', '-0'], { env, ports })
  yes(await bench.provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes(bench, ref, isOver)
  const printed = readFileSync(bench.fileOf(order.tag.attempt, 'log'), 'utf8').split('\0')
  expect(printed).toEqual(expect.arrayContaining(Object.entries(env).map(([name, value]) => `${name}=${value}`)))
  expect(printed).toEqual(expect.arrayContaining(['PORT=22050', 'PORT_HTTP=22050', 'PORT_METER_READINGS=22000']))
  expect(printed.join(' ')).not.toContain('BERTH_TEST_KEY')
  const names = printed.flatMap((line) => (line === '' ? [] : [line.split('=', 1).join()]))
  const documented = new Set([...VARIABLES.map(({ name }) => name), ...Object.keys(env)])
  expect(names.filter((name) => !documented.has(name.replace(/^PORT_.+/, 'PORT_<NAME>')))).toEqual([])
  expect(printed).toContain(`PWD=${bench.fileOf(order.tag.attempt, 'work')}`)
  delete process.env['BERTH_TEST_KEY']
})

test('what has ended is forgotten after an hour, but a call that comes late still starts nothing', async () => {
  const order = bench.orderOf(['/bin/echo', 'once'])
  yes(await bench.provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes(bench, ref, isOver)
  expect(await bench.linesOf(order)).toEqual(['once'])
  await stopped(bench, ref)
  bench.passedMs += 2 * 3_600_000
  yes(await bench.provider.list(order.tag.owner, call()))
  expect(yes(await bench.provider.describe(ref, call()))).toEqual({ state: 'absent' })
  yes(await bench.provider.launch(order, launchCall()))
  expect(yes(await bench.provider.describe(ref, call()))).toEqual({ state: 'absent' })
  expect(yes(await bench.provider.list(order.tag.owner, call())).instances).toEqual([])
})

test('a clock that is set ahead does not make it forget how something ended before anybody has asked', async () => {
  const order = bench.orderOf(['/bin/sh', '-c', 'exit 3'])
  yes(await bench.provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes(bench, ref, isOver)
  await bench.provider.close?.()
  bench.wallMs += 40 * 86_400_000
  await bench.reopen()
  for (const passedMs of [0, 61_000, 61_000]) {
    bench.passedMs += passedMs
    yes(await bench.provider.list(order.tag.owner, call()))
    expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ exit: { kind: 'code', code: 3 } })
  }
  bench.passedMs += 600_000
  yes(await bench.provider.list(order.tag.owner, call()))
  expect(yes(await bench.provider.describe(ref, call()))).toEqual({ state: 'absent' })
})

test('a log never has more than its limit on the disk, however fast it grows, and its end is kept', async () => {
  const order = bench.orderOf(['/bin/sh', '-c', 'yes 0123456789 | head -c 2200000; echo the end'])
  const ref = await bench.launch(order)
  const bytes = (): number =>
    ['log', 'log.old'].reduce((sum, file) => sum + readOrEmpty(bench.fileOf(order.tag.attempt, file)).length, 0)
  await within(bench, async () => {
    expect(bytes()).toBeLessThanOrEqual(64 * 1024)
    return isOver(yes(await bench.provider.describe(ref, call())))
  })
  expect(bytes()).toBeGreaterThan(30 * 1024)
  const lines = await bench.linesOf(order)
  expect(lines.at(-1)).toBe('the end')
  expect(lines.length).toBeGreaterThan(2900)
})

test('a disk that the log fills is freed by the log, and the work goes on', async (context) => {
  await bench.reopen({ log: '64Mi' })
  const isMounted = await bench.onDisk('size=1m', async () => {
    const order = bench.orderOf(['/bin/sh', '-c', 'yes 0123456789 | head -c 5500000; echo the end; exit 5'])
    const ref = await bench.launch(order)
    expect(await becomes(bench, ref, isOver)).toMatchObject({ exit: { kind: 'code', code: 5 } })
    expect((await bench.linesOf(order)).at(-1)).toMatch(/the end$/)
  })
  if (!isMounted) context.skip(NEEDS_MOUNT)
})

test('what comes after an hour of ending by itself is still there', async () => {
  const order = bench.orderOf(['/bin/echo', 'once'])
  yes(await bench.provider.launch(order, launchCall()))
  const ref = { tag: order.tag, instance: undefined }
  await becomes(bench, ref, isOver)
  const past = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(bench.fileOf(order.tag.attempt, 'exit'), past, past)
  yes(await bench.provider.list(order.tag.owner, call()))
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({
    state: 'ended',
    exit: { kind: 'code', code: 0 },
  })
})

test('a command beside a workload that is given up is ended with all that it started', async () => {
  const ref = await bench.launchUp(bench.orderOf(['/bin/sleep', '1000']))
  const pids = (): readonly number[] => processesWith('MARK=given-up')
  const given = new AbortController()
  const script = `${SETSID_IF_GROUPED} sleep 7771 & env -i MARK=given-up sleep 7772 & wait`
  const argv = ['/usr/bin/env', 'MARK=given-up', '/bin/sh', '-c', script]
  const ends = bench.provider.exec?.(ref, argv, { ...call(), signal: given.signal })
  await within(bench, async () => pids().length >= 3)
  given.abort()
  await expect(ends).rejects.toThrow()
  await within(bench, async () => pids().length === 0)
  // One that hands on its output and goes is not over yet: it is ended, too.
  const again = new AbortController()
  const left = bench.provider.exec?.(ref, [...argv.slice(0, 4), 'sleep 7773 &'], { ...call(), signal: again.signal })
  await within(bench, async () => pids().length === 1)
  again.abort()
  await expect(left).rejects.toThrow()
  await within(bench, async () => pids().length === 0)
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'up' })
})

test('what a command beside a workload leaves behind ends with the workload', async (context) => {
  if (findControlGroup('berth') === undefined) return context.skip('needs a control group that may be written')
  const ref = await bench.launchUp(bench.orderOf(['/bin/sleep', '1000']))
  await within(bench, async () => readOrEmpty(bench.fileOf(ref.tag.attempt, 'cgroup')) !== '')
  const script = 'setsid env -i MARK=left-behind sleep 7774 > /dev/null 2>&1 &'
  const pids = (): readonly number[] => processesWith('MARK=left-behind')
  const ran = await bench.provider.exec?.(ref, ['/bin/sh', '-c', script], call())
  expect(ran).toMatchObject({ ok: true, value: { code: 0 } })
  await within(bench, async () => pids().length === 1)
  const group = readOrEmpty(bench.fileOf(ref.tag.attempt, 'cgroup')).trim()
  await stopped(bench, ref)
  await within(bench, async () => pids().length === 0)
  await within(bench, async () => {
    await stopped(bench, ref)
    return !existsSync(group)
  })
})

/** Without control groups whatever has left its process group is not found. */
const SETSID_IF_GROUPED = findControlGroup('berth') === undefined ? '' : 'setsid'

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
