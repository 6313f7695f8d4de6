import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { call, stopped, within, yes } from '../../contract/bench.suite.ts'
import type { InstanceRef } from '../../../ports/provider.ts'
import { findControlGroup, processesIn } from './control-group.ts'
import { ProcessBench } from './process-bench.suite.ts'
import { currentBoot, hostMs, processesWith, readIdentity } from './process-table.ts'

const bench = new ProcessBench()

const DAMAGES: Readonly<Record<string, (attempt: string) => void>> = {
  'an empty order': (attempt) => truncateSync(bench.fileOf(attempt, 'order')),
  'half an order': (attempt) => truncateSync(bench.fileOf(attempt, 'order'), 20),
  'no order': (attempt) => rmSync(bench.fileOf(attempt, 'order')),
  'an order that cannot be read': (attempt) => {
    rmSync(bench.fileOf(attempt, 'order'))
    mkdirSync(bench.fileOf(attempt, 'order'))
  },
  'an empty started': (attempt) => truncateSync(bench.fileOf(attempt, 'started')),
}

test.each(Object.keys(DAMAGES))('with %s it is not gone until it is', async (damage) => {
  const other = await bench.launchUp(bench.orderOf(['/bin/sleep', '60']))
  const ref = await bench.launchDeaf()
  const { attempt, owner } = ref.tag
  DAMAGES[damage]?.(attempt)
  await bench.reopen()

  await expect(bench.provider.describe(ref, call())).rejects.toThrow(/is damaged|cannot be read/)
  for (let times = 0; times < 2; times++) {
    const { instances, complete } = yes(await bench.provider.list(owner, call()))
    expect(complete).toBe(false)
    expect(instances.map(({ tag }) => tag.attempt)).toEqual([other.tag.attempt])
  }
  expect(bench.warnings.filter((text) => /damaged|cannot be read/.test(text))).toHaveLength(1)

  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  expect(processesWith(`BERTH_ATTEMPT=${attempt}`)).not.toEqual([])
  bench.passedMs += 10_000
  await stopped(bench, ref)
  expect(processesWith(`BERTH_ATTEMPT=${attempt}`)).toEqual([])
  expect(yes(await bench.provider.list(owner, call())).complete).toBe(true)
})

test('a clock that is set back does not put off a kill that another Berth had begun', async () => {
  const ref = await bench.launchDeaf()
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  await bench.provider.close?.()
  bench.wallMs -= 86_400_000
  await bench.reopen()
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  bench.passedMs += 10_000
  await stopped(bench, ref)
})

test('a clock that is set ahead takes nothing from the time that a program has to end', async () => {
  const ref = await bench.launchDeaf()
  const isThere = (): boolean =>
    processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`).some((pid) => commandOf(pid).startsWith('/bin/sh -c trap'))
  expect(isThere()).toBe(true)
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  await bench.provider.close?.()
  bench.wallMs += 40 * 86_400_000
  await bench.reopen()
  for (let times = 0; times < 2; times++) {
    expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
    expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'up' })
  }
  expect(isThere()).toBe(true)
  // Ten seconds of this host later it is over for the next Berth, too, at once.
  writeFileSync(bench.fileOf(ref.tag.attempt, 'stopping'), `${currentBoot()} ${hostMs() - 10_000}\n`)
  await bench.reopen()
  await stopped(bench, ref)
})

test('a child that leaves session and environment is ended with its workload', async (context) => {
  if (findControlGroup('berth') === undefined) return context.skip('needs a control group that may be written')
  const escape = 'env -i setsid sleep 1000 & trap "exit 0" TERM; while :; do sleep 1 & wait; done'
  const ref = await bench.launchUp(bench.orderOf(['/bin/sh', '-c', escape]))
  const group = (): string => readFileSync(bench.fileOf(ref.tag.attempt, 'cgroup'), 'utf8').trim()
  const escaped = (): readonly number[] =>
    processesIn(group()).filter((pid) => !processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`).includes(pid))
  await within(bench, async () => escaped().some((pid) => commandOf(pid) === 'sleep 1000'))
  const [stray = 0] = escaped().filter((pid) => commandOf(pid) === 'sleep 1000')
  await stopped(bench, ref)
  await within(bench, async () => commandOf(stray) !== 'sleep 1000')
  expect(existsSync(group())).toBe(false)
})

test('a workload that ends by itself leaves no control group', async (context) => {
  if (findControlGroup('berth') === undefined) return context.skip('needs a control group that may be written')
  const ref = await bench.launch(bench.orderOf(['/bin/sh', '-c', 'exit 0']))
  const file = bench.fileOf(ref.tag.attempt, 'cgroup')
  await within(bench, async () => existsSync(file) && !existsSync(readFileSync(file, 'utf8').trim()))
})

test('a workload whose reader of the log was killed goes on, and what it prints is kept', async () => {
  const script = 'n=0; while :; do n=$((n+1)); echo "line $n with quite a lot of words in it to fill the pipe"; done'
  const ref = await bench.launchUp(bench.orderOf(['/bin/sh', '-c', script]))
  const last = async (): Promise<number> => Number(/^line (\d+)/.exec((await lastLine(ref)) ?? '')?.[1] ?? 0)
  await within(bench, async () => (await last()) > 10)
  const leader = readIdentity(readFileSync(bench.fileOf(ref.tag.attempt, 'started'), 'utf8'))?.pid ?? 0
  // First the program that copies, then the shell that starts it anew.
  for (const victims of [() => processesWith(`BERTH_ATTEMPT=${ref.tag.attempt}`).filter(isHead), () => [leader]]) {
    for (const pid of victims()) process.kill(pid, 'SIGKILL')
    const before = await last()
    await within(bench, async () => {
      yes(await bench.provider.list(ref.tag.owner, call()))
      return (await last()) > before + 5000
    })
  }
  await stopped(bench, ref)
})

test('logs of what has ended do not add up: the oldest go first', async () => {
  const refs: InstanceRef[] = []
  for (let count = 0; count < 3; count++) {
    const ref = await bench.launch(bench.orderOf(['/bin/echo', `line ${count}`]))
    await within(bench, async () => existsSync(bench.fileOf(ref.tag.attempt, 'exit')))
    refs.push(ref)
  }
  const [first, second, third] = refs
  // Together they may have 64 times the limit of one, which is 64 KiB here.
  for (const ref of refs.slice(0, 2))
    writeFileSync(bench.fileOf(ref.tag.attempt, 'log.old'), Buffer.alloc(3 * 1024 * 1024, 'x\n'))
  yes(await bench.provider.list(first?.tag.owner ?? '', call()))
  bench.passedMs += 61_000
  yes(await bench.provider.list(first?.tag.owner ?? '', call()))
  expect(await Promise.all([first, second, third].map((ref) => ref && lastLine(ref)))).toEqual([
    undefined,
    'line 1',
    'line 2',
  ])
})

async function lastLine(ref: InstanceRef): Promise<string | undefined> {
  const lines = bench.provider.logs?.(ref, { follow: false, tail: 1 }, call()) ?? []
  return (await Array.fromAsync(lines)).at(0)?.text
}

function isHead(pid: number): boolean {
  return commandOf(pid).startsWith('head ')
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
  } catch {
    return ''
  }
}
