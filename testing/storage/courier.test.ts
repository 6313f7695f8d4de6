import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { Couriers, volume } from './courier.suite.ts'
import { S3, storageLack } from './s3.suite.ts'

const lack = storageLack()
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(lack !== undefined)('the courier, with a real S3 server', () => {
  let s3: S3
  let couriers: Couriers
  beforeAll(async () => {
    s3 = await S3.start()
    couriers = new Couriers()
  })
  afterAll(async () => {
    couriers.close()
    await s3.close()
  })

  test('data is there when the program starts, and cannot be changed', async () => {
    s3.put('data/a/one', 'ONE')
    const kept = couriers.run(s3, [volume(s3, 'data')], 'cat $M/data/a/one; touch $M/data/two 2>/dev/null; echo " $?"')
    expect(await kept.ended).toEqual({ code: 0, said: `berth: fetching s3://${s3.bucket}/data\nONE 1\n` })
  })

  test('any user of a container may read it, and write where it may write', async () => {
    s3.put('open/a/one', 'ONE')
    const modes = async (mode: 'ro' | 'rw'): Promise<string> => {
      const script = 'cd $M/open; stat -c "%a %n" . a a/one | tr "\\n" " "'
      return (await couriers.run(s3, [volume(s3, 'open', { mode })], script).ended).said.split('\n')[1] ?? ''
    }
    expect(await modes('ro')).toBe('755 . 755 a 644 a/one ')
    expect(await modes('rw')).toBe('777 . 777 a 666 a/one ')
  })

  test('what is larger than a copy may be is mounted', async () => {
    s3.put('large/file', 'over the network')
    const script = 'cat $M/large/file; grep -c "$M/large fuse" /proc/mounts'
    const kept = couriers.run(s3, [volume(s3, 'large')], script, { copyKib: -1 })
    const { code, said } = await kept.ended
    expect([code, said]).toEqual([0, expect.stringMatching(/over the network1\n$/)])
  })

  test('what it writes is published, what it removes is removed, and what it did not know stays', async () => {
    s3.put('ck/old', 'old')
    s3.put('ck/kept', 'kept')
    const storage = [volume(s3, 'ck', { mode: 'rw' })]
    const kept = couriers.run(
      s3,
      storage,
      'rm $M/ck/old; mkdir $M/ck/d; echo new > "$M/ck/d/a b"; echo x > $M/ck/half.tmp',
    )
    expect((await kept.ended).code).toBe(0)
    expect(s3.list('ck')).toEqual(['d/a b', 'kept'])
    expect(s3.get('ck/d/a b')).toBe('new\n')
  })

  test('a checkpoint is published while the program runs, its time is read from the store, and the exit code passes', async () => {
    const script = 'echo 1 > $M/live/step; while [ ! -e $M/live/go ]; do sleep 0.1; done; exit 3'
    const kept = couriers.run(s3, [volume(s3, 'live', { mode: 'rw' })], script)
    await vi.waitUntil(() => kept.state('checkpoint') !== undefined, { timeout: 30_000 })
    expect(s3.list('live')).toEqual(['step'])
    expect(Math.abs(Number(kept.state('checkpoint')) - Date.now() / 1000)).toBeLessThan(60)
    execFileSync('nsenter', [`--mount=/proc/${kept.state('pid')}/ns/mnt`, 'touch', `${volume(s3, 'live').mount}/go`])
    expect((await kept.ended).code).toBe(3)
    expect(kept.state('failed')).toBeUndefined()
  })

  test('of a program that was killed, nothing counts that was not seen to rest', async () => {
    const script = 'echo 1 > $M/cutoff/whole; while :; do echo more >> $M/cutoff/growing; sleep 0.2; done'
    const kept = couriers.run(s3, [volume(s3, 'cutoff', { mode: 'rw' })], script, { everySeconds: 2 })
    await vi.waitUntil(() => kept.state('program') !== undefined, { timeout: 30_000 })
    process.kill(Number(kept.state('program')), 'SIGKILL')
    expect((await kept.ended).code).toBe(137)
    expect(s3.list('cutoff')).not.toContain('growing')
  })

  test('a lost connection is tried again', async () => {
    s3.put('flaky/file', randomBytes(4_000_000))
    s3.cut(1_500_000)
    const kept = couriers.run(s3, [volume(s3, 'flaky')], 'wc -c < $M/flaky/file')
    await vi.waitUntil(() => s3.isCut, { timeout: 30_000 })
    setTimeout(() => s3.mend(), 1500)
    const { code, said } = await kept.ended
    expect(code).toBe(0)
    expect(said).toMatch(/trying again in \d+ s[\s\S]*\n4000000\n$/)
  })

  test('a connection that does not come back is why the attempt fails', async () => {
    s3.cut()
    const kept = couriers.run(s3, [volume(s3, 'data')], 'echo never', { patienceSeconds: 2 })
    const { code, said } = await kept.ended
    s3.mend()
    expect(code).toBe(74)
    expect(said).not.toContain('never')
    expect(kept.state('failed')).toMatch(/^s3:\/\/berth-test\/data could not be fetched: the connection /)
  })

  test('results that cannot be saved are why the attempt fails, however well the program ended', async () => {
    const kept = couriers.run(s3, [volume(s3, 'lost', { mode: 'rw' })], 'sleep 1; echo 1 > $M/lost/result', {
      patienceSeconds: 2,
      everySeconds: 60,
    })
    await vi.waitUntil(() => kept.state('program') !== undefined, { timeout: 30_000 })
    s3.cut()
    expect((await kept.ended).code).toBe(74)
    s3.mend()
    expect(kept.state('failed')).toMatch(/^s3:\/\/berth-test\/lost could not be written: the connection /)
    expect(s3.list('lost')).toEqual([])
  })

  test('a round that was cut off before it was whole is dropped, one that was whole is carried through', async () => {
    s3.put('round/.berth-publish/0/new/half', 'half')
    const one = couriers.run(s3, [volume(s3, 'round', { mode: 'rw' })], 'ls -A $M/round')
    // Nothing of it is there. What the courier says of its tries is not counted.
    const { said } = await one.ended
    expect(said).toContain(`berth: fetching s3://${s3.bucket}/round\n`)
    expect(said.split('\n').filter((line) => line !== '' && !line.startsWith('berth: '))).toEqual([])
    expect(s3.list('round')).toEqual([])
    s3.put('round/old', 'old')
    s3.put('round/.berth-publish/0/new/whole', 'whole')
    s3.put('round/.berth-publish/0/commit', 'berth 1\nold\n')
    const two = couriers.run(s3, [volume(s3, 'round', { mode: 'rw' })], 'ls -A $M/round')
    expect((await two.ended).said).toMatch(/\nwhole\n$/)
    expect(s3.list('round')).toEqual(['whole'])
  })

  test.each([
    ['a wrong key', 'data', 'x', 'access was denied; check the secret'],
    ['nothing at the address', 'nothing', '', 'there is nothing there'],
  ])('%s is told at once', async (_, name, odd, why) => {
    const other = odd === '' ? s3 : Object.create(s3, { secret: { get: () => wrongKey(s3) } })
    const kept = couriers.run(other, [volume(s3, name)], 'echo never')
    expect((await kept.ended).code).toBe(74)
    expect(kept.state('failed')).toBe(`s3://${s3.bucket}/${name} could not be fetched: ${why}`)
  })
})

function wrongKey(s3: S3) {
  const { secret } = s3
  return Object.assign(Object.create(secret), { reveal: () => secret.reveal().replace(/canary/, 'wrong') })
}

describe.skipIf(lack !== undefined)('the courier on a full disk', () => {
  const disk = mkdtempSync(join(tmpdir(), 'berth-full-'))
  let s3: S3
  let couriers: Couriers
  beforeAll(async () => {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'tmpfs', disk])
    s3 = await S3.start()
    mkdirSync(join(disk, 'work'))
    couriers = new Couriers(join(disk, 'work'))
  })
  afterAll(async () => {
    couriers.close()
    await s3.close()
    execFileSync('umount', ['-l', disk])
    rmSync(disk, { recursive: true, force: true })
  })

  test('data that does not fit is not fetched', async () => {
    s3.put('big/file', Buffer.alloc(20_000_000))
    const kept = couriers.run(s3, [volume(s3, 'big', { sizeGib: 1 })], 'echo never')
    expect((await kept.ended).code).toBe(74)
    expect(kept.state('failed')).toMatch(
      /could not be fetched: it has 19 MiB, and the disk of this machine has \d MiB free$/,
    )
  })

  test('what a full disk cut short is no checkpoint', async () => {
    s3.put('job/step', '1')
    // The program does not care, and goes on.
    const script = 'head -c 20000000 /dev/zero > $M/job/step-2 2> /dev/null; while :; do sleep 0.1; done'
    const kept = couriers.run(s3, [volume(s3, 'job', { mode: 'rw' })], script)
    expect((await kept.ended).code).toBe(74)
    expect(kept.state('failed')).toBe('storage: the disk of this machine is full')
    expect(s3.list('job')).toEqual(['step'])
  })
})
