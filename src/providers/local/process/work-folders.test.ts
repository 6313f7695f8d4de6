import { existsSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { InstanceRef } from '../../../ports/provider.ts'
import { becomes, call, isOver, stopped, within, yes } from '../../contract/bench.suite.ts'
import { AttemptFolders } from './attempt-folder.ts'
import { NEEDS_MOUNT, ProcessBench } from './process-bench.suite.ts'
import { WorkFolders } from './work-folders.ts'

const bench = new ProcessBench()

const workOf = ({ tag }: InstanceRef): string => bench.fileOf(tag.attempt, 'work')
const list = async (ref: InstanceRef) => yes(await bench.provider.list(ref.tag.owner, call()))

/** One that left a file and ended by itself, as the process that watches it leaves it. */
async function ended(code = 0): Promise<InstanceRef> {
  const ref = await bench.launch(bench.orderOf(['/bin/sh', '-c', `echo data > file; exit ${code}`]))
  await becomes(bench, ref, isOver)
  await stopped(bench, ref)
  return ref
}

test('what a workload wrote is gone as soon as it was told to end and has; its log and its end are not', async () => {
  const outside = join(bench.deps.folder, 'outside')
  mkdirSync(outside)
  writeFileSync(join(outside, 'kept'), '')
  const order = bench.orderOf(['/bin/sh', '-c', 'mkdir d; echo data > d/file; echo wrote; exec sleep 1000'])
  const ref = await bench.launchUp(order)
  await within(bench, async () => (await bench.linesOf(order)).length === 1)
  symlinkSync(outside, join(workOf(ref), 'link'))
  await stopped(bench, ref)
  await within(bench, async () => !existsSync(workOf(ref)))
  expect(existsSync(join(outside, 'kept'))).toBe(true)
  expect(await bench.linesOf(order)).toEqual(['wrote'])
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({
    state: 'ended',
    exit: { kind: 'signal', signal: 'SIGTERM' },
  })
})

test('what was told to end by a Berth that died is cleared by the next', async () => {
  const ref = await bench.launchUp(bench.orderOf(['/bin/sh', '-c', 'echo data > file; exec sleep 1000']))
  await within(bench, async () => existsSync(join(workOf(ref), 'file')))
  expect(yes(await bench.provider.stop(ref, call()))).toEqual({ gone: false })
  await bench.provider.close?.()
  await within(bench, async () => existsSync(bench.fileOf(ref.tag.attempt, 'exit')))
  await bench.reopen()
  await list(ref)
  await within(bench, async () => !existsSync(workOf(ref)))
})

test('what ended by itself keeps what it wrote for an hour', async () => {
  const ref = await ended(3)
  await list(ref)
  bench.passedMs += 61_000
  await list(ref)
  expect(existsSync(join(workOf(ref), 'file'))).toBe(true)
  const past = new Date(Date.now() - 3_600_000)
  utimesSync(bench.fileOf(ref.tag.attempt, 'exit'), past, past)
  bench.passedMs += 61_000
  await list(ref)
  await within(bench, async () => !existsSync(workOf(ref)))
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ exit: { kind: 'code', code: 3 } })
})

test('a disk that is full is cleared of what has ended at once', async (context) => {
  const isMounted = await bench.onDisk('size=8m', async () => {
    const ref = await ended()
    await list(ref)
    expect(existsSync(join(workOf(ref), 'file'))).toBe(true)
    const filler = bench.orderOf(['/bin/sh', '-c', 'head -c 9000000 /dev/zero > filler; exec sleep 1000'])
    const running = await bench.launchUp(filler)
    await within(bench, async () => {
      await list(ref)
      return !existsSync(workOf(ref))
    })
    expect(existsSync(join(workOf(running), 'filler'))).toBe(true)
    await stopped(bench, running)
    await within(bench, async () => !existsSync(workOf(running)))
  })
  if (!isMounted) context.skip(NEEDS_MOUNT)
})

test('what ended by itself is kept as long as all together are not too large: the oldest go first', async () => {
  const folders = new AttemptFolders(join(bench.deps.folder, 'other'))
  const work = new WorkFolders(folders, 200)
  for (const attempt of ['a', 'b', 'c']) {
    mkdirSync(folders.pathOf(attempt, 'work'), { recursive: true })
    writeFileSync(folders.pathOf(attempt, 'work/file'), Buffer.alloc(90 * 1024, 'x'))
    writeFileSync(folders.pathOf(attempt, 'exit'), '000\n')
    work.ended(attempt)
  }
  await within(bench, async () => {
    work.tidy(Date.now())
    return !existsSync(folders.pathOf('a', 'work'))
  })
  work.tidy(Date.now())
  expect(['b', 'c'].map((attempt) => existsSync(folders.pathOf(attempt, 'work/file')))).toEqual([true, true])
})
