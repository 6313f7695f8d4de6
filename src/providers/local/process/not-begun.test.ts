import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { becomes, call, isOver, launchCall, stopped, within, yes } from '../../contract/bench.suite.ts'
import { NEEDS_MOUNT, ProcessBench } from './process-bench.suite.ts'

const bench = new ProcessBench()

function useShim(script: string): void {
  writeFileSync(join(bench.deps.folder, 'shim.sh'), script)
}

test('what was noted and not begun is claimed within seconds, whatever the clock shows', async () => {
  const order = bench.orderOf(['/bin/sleep', '60'])
  const ref = bench.note(order)
  for (const days of [0, 40, -400]) {
    bench.wallMs = days * 86_400_000
    expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  }
  bench.passedMs += 6000
  const { instances, complete } = yes(await bench.provider.list(order.tag.owner, call()))
  expect(complete).toBe(true)
  expect(instances.find(({ tag }) => tag.attempt === order.tag.attempt)).toMatchObject({
    state: 'ended',
    exit: { kind: 'start', why: 'it was recorded, but not started in time' },
  })
  // From then on no call that comes late starts it.
  yes(await bench.provider.launch(order, launchCall()))
  expect(isOver(yes(await bench.provider.describe(ref, call())))).toBe(true)
})

test('a launch that is on its way in this very process is waited for longer, but not for ever', async () => {
  useShim('sleep 1000')
  const ref = await bench.launch(bench.orderOf(['/bin/sleep', '60']))
  bench.passedMs += 20_000
  bench.wallMs += 86_400_000
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  bench.passedMs += 20_000
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'ended', exit: { kind: 'start' } })
  await stopped(bench, ref)
})

test('a second launch of an attempt that is on its way starts nothing else', async () => {
  useShim(`echo begun >> ${join(bench.deps.folder, 'begun')}; exec sleep 1000`)
  const order = bench.orderOf(['/bin/sleep', '60'])
  const begun = join(bench.deps.folder, 'begun')
  const ref = await bench.launch(order)
  await bench.launch(order)
  await within(bench, async () => existsSync(begun) && readFileSync(begun, 'utf8') !== '')
  await bench.launch(order)
  expect(readFileSync(begun, 'utf8')).toBe('begun\n')
  bench.passedMs += 60_000
  await becomes(bench, ref, isOver)
  await stopped(bench, ref)
})

test('a shim that dies early is a failed start at once', async () => {
  useShim('exit 3')
  const ref = await bench.launch(bench.orderOf(['/bin/sleep', '60']))
  expect(await becomes(bench, ref, isOver)).toMatchObject({
    exit: { kind: 'start', why: 'its shim ended early, with exit code 3' },
  })
})

test('secrets that no program can be started with are refused, with what is too large', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `KEY_${index}`)
  const order = bench.orderOf(['/bin/sleep', '60'], { secrets: names })
  const secrets = Object.fromEntries(names.map((name) => [name, 'x'.repeat(60_000)]))
  const answer = await bench.provider.launch(order, launchCall(secrets))
  expect(answer).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
  expect(JSON.stringify(answer)).toMatch(/secrets are 35\d\d KiB, the largest variable is KEY_\d+ with 59 KiB/)
  const ref = { tag: order.tag, instance: undefined }
  expect(yes(await bench.provider.describe(ref, call()))).toMatchObject({ state: 'ended', exit: { kind: 'start' } })
})

test('a folder to start in that is not there is refused', async () => {
  await bench.reopen({ directory: join(bench.deps.folder, 'gone') })
  const order = bench.orderOf(['/bin/sleep', '60'])
  expect(await bench.provider.launch(order, launchCall())).toMatchObject({
    ok: false,
    fault: { class: 'BAD_REQUEST', message: expect.stringContaining('There is no folder') },
  })
})

test.for([3, 4, 5, 6, 7, 8, 9, 10])(
  'with %i inodes it is a failed start with the cause, and is retried',
  async (inodes, context) => {
    const order = bench.orderOf(['/bin/sh', '-c', 'exit 7'])
    const ref = { tag: order.tag, instance: undefined }
    const isMounted = await bench.onDisk(`nr_inodes=${inodes}`, async (folder) => {
      const answer = await bench.provider.launch(order, launchCall())
      if (!answer.ok)
        expect(answer.fault).toMatchObject({ class: 'TRANSIENT', message: expect.stringContaining('ENOSPC') })
      else {
        bench.passedMs += 6000
        spawnSync('mount', ['-o', 'remount,nr_inodes=100', folder])
        const { exit } = (await becomes(bench, ref, isOver)) as { exit?: { kind: string; why?: string } }
        if (exit?.kind === 'start') expect(exit.why).toMatch(/disk is full|not started in time|ended early/)
        else expect(exit).toEqual({ kind: 'code', code: 7 })
      }
      spawnSync('mount', ['-o', 'remount,nr_inodes=100', folder])
      const next = bench.orderOf(['/bin/sh', '-c', 'exit 7'])
      expect(await becomes(bench, await bench.launch(next), isOver)).toMatchObject({ exit: { kind: 'code', code: 7 } })
    })
    if (!isMounted) context.skip(NEEDS_MOUNT)
  },
)
