import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Story } from '../../../src/controller/story.suite.ts'
import { IS_WHOLE, sized } from '../../../src/core/base/laws.suite.ts'
import { lackFor } from '../../../src/providers/local/bench.suite.ts'
import { lackOfMoto, runOnEc2 } from '../../clouds/aws/on-ec2.suite.ts'
import { CLOUDS } from '../../clouds/cases.ts'
import { printedHere } from '../../clouds/on-this-host.suite.ts'
import { ROOT } from '../../house/files.ts'
import { RentedStory } from './story.suite.ts'

const NEED = 'berth: v1\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 1, min_vram: 20Gi } }\n'

function named(name: string): string {
  return `${NEED}name: ${name}\n`
}

/** The reply of a cloud whose catalogue says that it has room, and which has none. */
const SOLD_OUT = {
  status: 400,
  type: 'application/problem+json',
  bytes: Buffer.from(
    JSON.stringify({
      title: 'Bad Request',
      status: 400,
      detail: 'There are no longer any instances available with the requested specifications.',
    }),
  ),
}

/** The most requests within any stretch of time. */
function densest(times: readonly number[], stretchMs: number): number {
  return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + stretchMs).length))
}

const BURST = sized({ quick: 12, whole: 1000 })
const BURST_MOST_S = 2 * 3600

test(
  `a burst of ${BURST} workloads stays within the published limits, and is spread over those who have room`,
  { timeout: 900_000 },
  async () => {
    const told = await RentedStory.begin(Object.keys(CLOUDS))
    const names = Object.keys(CLOUDS)
    const share = Math.ceil(BURST / (names.length - 1))
    for (const name of names)
      told.cloud(name).parts.api.engine.quota = name === 'lambda' ? Math.ceil(share / 10) : share
    for (let index = 0; index < BURST; index++) {
      await told.story.apply(named(`work-${index}`), { name: `work-${index}` })
    }
    const billedAt = (name: string): number => told.cloud(name).parts.api.engine.billed().length
    const sum = (): number => names.reduce((all, name) => all + billedAt(name), 0)
    for (let passed = 0; passed < BURST_MOST_S && sum() < BURST; passed += 60) await told.story.pass(60)
    // Nothing is rented beyond that.
    await told.story.pass(300)
    const billed = names.map(billedAt)
    expect(sum()).toBe(BURST)
    expect(billed.filter((count) => count > 0).length).toBeGreaterThan(names.length / 2)
    const sent = (name: string): readonly number[] => told.cloud(name).sent.map(({ atMs }) => atMs)
    // As published: one request a second and one launch in twelve; 60 a minute; 250 a minute.
    expect(densest(sent('lambda'), 1000)).toBe(1)
    expect(densest(told.orders('lambda'), 12_000)).toBeLessThanOrEqual(1)
    expect(densest(sent('runpod'), 60_000)).toBeLessThanOrEqual(60)
    expect(densest(sent('digitalocean'), 60_000)).toBeLessThanOrEqual(250)
  },
)

test('sold out at one, running at another within a second; nobody asks again until the refusal is over', async () => {
  const told = await RentedStory.begin(['runpod', 'shadeform'], { runpod: 1, shadeform: 2 })
  const { story } = told
  const { api } = told.cloud('runpod').parts
  api.next('create', ...Array.from({ length: 50 }, () => SOLD_OUT))
  await story.apply(named('one'), { name: 'one' })
  await story.pass(10)
  const events = await story.events()
  const refused = events.filter(({ kind }) => kind === 'refused')
  const first = told.orders('shadeform')[0] ?? Infinity
  // Every place of the first cloud was asked once, and the other right after the last refusal.
  expect(first - (refused.at(-1)?.atMs ?? 0)).toBeLessThanOrEqual(1000)
  expect(await story.standing()).toEqual([expect.stringMatching(/^one\/0 (?:starting|running) shadeform$/)])

  const asked = told.orders('runpod').length
  await story.pass(60)
  await story.apply(named('two'), { name: 'two' })
  await story.pass(10)
  expect(told.orders('runpod')).toHaveLength(asked)
  expect(await story.standing()).toContainEqual(expect.stringMatching(/^two\/0 (?:starting|running) shadeform$/))
})

test('after the expiry of a refusal each place is asked once, however many wait', async () => {
  const told = await RentedStory.begin(['runpod'])
  const { story } = told
  told.cloud('runpod').parts.api.next('create', ...Array.from({ length: 500 }, () => SOLD_OUT))
  await story.apply(named('first'), { name: 'first' })
  await story.pass(10)
  const places = told.orders('runpod').length
  for (let index = 0; index < 10; index++) await story.apply(named(`work-${index}`), { name: `work-${index}` })
  await story.pass(160)
  expect(told.orders('runpod')).toHaveLength(places)
  // Three minutes after they were refused, and before they are so for the second time.
  await story.pass(120)
  expect(told.orders('runpod')).toHaveLength(2 * places)
})

/** A job of the examples on every rented cloud and on the simulated one, unchanged. */
async function runsRented(text: string): Promise<void> {
  for (const name of Object.keys(CLOUDS)) {
    const told = await RentedStory.begin([name])
    const { image } = (await told.story.apply(text, { name: 'rented-4090' })).manifest
    await told.story.pass(180)
    expect(await told.story.standing()).toEqual([`rented-4090/0 running ${name}`])
    expect(told.cloud(name).parts.api.engine.billed()).toMatchObject([{ image, env: { BATCH: 'nightly' } }])
  }
  const story = new Story()
  story.cloud('simulated')
  story.controller('one')
  await story.apply(text, { name: 'rented-4090' })
  await story.pass(30)
  expect(await story.standing()).toEqual(['rented-4090/0 running simulated'])
}

const EXAMPLE = readFileSync(join(ROOT, 'examples/rented-4090.yaml'), 'utf8')

const IN_FULL = 'containers and EC2 are tried by npm run test:all'

test('one manifest of the examples is placed and runs on every rented cloud and on the simulated one, unchanged', () =>
  runsRented(EXAMPLE))

const elsewhere = IS_WHOLE ? [lackFor(['podman', 'runc', 'conmon']), lackOfMoto()] : [IN_FULL, IN_FULL]
const [lackHere, lackOnEc2] = elsewhere
for (const lack of new Set(elsewhere)) if (lack !== undefined) test.skip(lack, () => undefined)

const grounds = [
  'every rented cloud',
  'the simulated one',
  ...(lackOnEc2 === undefined ? ['EC2'] : []),
  ...(lackHere === undefined ? ['this host'] : []),
]

test.skipIf(lackHere !== undefined && lackOnEc2 !== undefined)(
  `the same manifest runs on ${grounds.join(', ')}`,
  { timeout: 600_000 },
  async () => {
    await runsRented(EXAMPLE)
    if (lackOnEc2 === undefined) {
      const { machine, running } = await runOnEc2(EXAMPLE)
      expect(machine).toMatchObject({ image: 'ghcr.io/acme/embed-batch:1.4', env: { BATCH: 'nightly' } })
      expect(running).toBe(1)
    }
    if (lackHere === undefined) {
      const printed = await printedHere(EXAMPLE, { image: 'ghcr.io/acme/embed-batch:1.4', prints: 'BATCH' })
      expect(printed).toBe('nightly yes')
    }
  },
)
