import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Secret } from '../../src/ports/secret.ts'
import { Couriers, MOUNTS } from './courier.suite.ts'
import { FakeHub } from './hub.suite.ts'
import { storageLack } from './s3.suite.ts'

const lack = storageLack()
if (lack !== undefined) test.skip(lack, () => undefined)

const DENIED = 'access was denied, or there is no such repository; check its name and the secret'
const WEIGHTS = randomBytes(3_000_000)

describe.skipIf(lack !== undefined)('the courier, with a hub', () => {
  let hub: FakeHub
  let couriers: Couriers
  beforeAll(async () => {
    hub = new FakeHub([
      {
        id: 'models/acme/tiny',
        files: { 'config.json': '{}', 'onnx/a b {1}.bin': WEIGHTS, 'onnx/x.tmp': 'x', none: '' },
      },
      {
        id: 'datasets/acme/closed',
        files: { 'train/0.parquet': WEIGHTS, 'train/é.txt': 'é', other: 'o' },
        isGated: true,
      },
      { id: 'models/acme/bad', files: { '../../out': 'x' } },
      { id: 'models/acme/odd', files: { 'a"b': 'x' } },
    ])
    await hub.start()
    couriers = new Couriers()
  })
  afterAll(async () => {
    couriers.close()
    await hub.close()
  })

  const SHOW =
    'cd $M/hub && find . -type f | sort | while read -r f; do printf "%s %s\\n" "$(md5sum < "$f" | cut -c 1-8)" "$f"; done'

  async function fetched(from: string, secret: Secret = hub.secret(undefined), patienceSeconds = 20) {
    hub.asked.splice(0)
    const volume = { mount: `${MOUNTS}/hub`, from, mode: 'ro', sizeGib: undefined, secret: 'S3' } as const
    const kept = couriers.run({ secret }, [volume], SHOW, { patienceSeconds })
    const { code, said } = await kept.ended
    return { code, lines: said.trim().split('\n').slice(1), why: kept.state('failed') }
  }

  test('a repository that anyone may read is there, whole, without a question that the hub forbids', async () => {
    const { code, lines, why } = await fetched('hf://acme/tiny')
    expect(why).toBeUndefined()
    expect(code).toBe(0)
    expect(lines).toEqual([
      `${sum('{}')} ./config.json`,
      `${sum('')} ./none`,
      `${sum(WEIGHTS)} ./onnx/a b {1}.bin`,
      `${sum('x')} ./onnx/x.tmp`,
    ])
    expect(hub.asked.filter((each) => !/^(far )?GET/.test(each))).toEqual([])
  })

  test.each([
    ['hf://datasets/acme/closed@main', ['./other', './train/0.parquet', './train/é.txt']],
    ['hf://datasets/acme/closed/train', ['./0.parquet', './é.txt']],
    ['hf://datasets/acme/closed@main/train/0.parquet', ['./0.parquet']],
    ['hf://datasets/acme/closed/other', ['./other']],
  ])('%s: what is gated needs the token, which no other host gets', async (from, names) => {
    const { lines, why } = await fetched(from, hub.secret(hub.token))
    expect(why).toBeUndefined()
    expect(lines.map((line) => line.slice(9))).toEqual(names)
  })

  test.each([
    ['hf://datasets/acme/closed', undefined, DENIED],
    ['hf://datasets/acme/closed', 'hf_wrong', DENIED],
    ['hf://acme/none', undefined, DENIED],
    ['hf://acme/tiny@v2', undefined, 'there is no such bucket, folder or file'],
    ['hf://acme/tiny/no', undefined, 'there is nothing there'],
    ['hf://acme/bad', undefined, 'its list of files cannot be read'],
    ['hf://acme/odd', undefined, 'its list of files cannot be read'],
  ])('%s with the token %s: %s', async (from, token, why) => {
    expect(await fetched(from, hub.secret(token))).toMatchObject({
      code: 74,
      why: `${from} could not be fetched: ${why}`,
    })
  })

  test('a connection that breaks again and again is continued where it broke', async () => {
    hub.breaksAfter = 400_000
    const { lines, why } = await fetched('hf://acme/tiny/onnx')
    hub.breaksAfter = Infinity
    expect(why).toBeUndefined()
    expect(lines[0]).toBe(`${sum(WEIGHTS)} ./a b {1}.bin`)
    expect(hub.asked.filter((each) => each.startsWith('far GET bytes='))).toHaveLength(7)
  })

  test('when the other host is away for a while, what is there is not fetched again', async () => {
    hub.breaksAfter = 0
    const later = setInterval(() => {
      if (hub.asked.filter((each) => each.startsWith('far')).length > 8) hub.breaksAfter = Infinity
    }, 10)
    const { lines, why } = await fetched('hf://acme/tiny')
    clearInterval(later)
    expect(why).toBeUndefined()
    // Beside what the courier says of its tries: the more, the slower the machine.
    expect(lines.filter((line) => /^[0-9a-f]{8} \.\//.test(line))).toHaveLength(4)
    expect(hub.asked.filter((each) => each.includes('/resolve-cache/'))).toHaveLength(3)
  })
})

function sum(content: string | Buffer): string {
  return createHash('md5').update(content).digest('hex').slice(0, 8)
}
