import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { emptyPlane, furnishedPlane, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words, type Ran, type World } from '../harness.suite.ts'

/** One that was accepted, placed, launched and came up, and to which two things happened beside. */
async function eventful(): Promise<TestPlane> {
  const control = furnishedPlane()
  const asked = { epoch: 1, attempt: 'a', instance: 'card' }
  const placed = { ...asked, slot: '0', provider: 'nebius', region: 'eu', usd_per_hour: 9.4, gpus: 4, because: 'best' }
  await control.happen('placed', placed, 2 * 86_400_000)
  const refused = { ...asked, slot: '1', provider: 'lambda', region: '', class: 'SOLD_OUT', message: '' }
  await control.happen('refused', { ...refused, until: NOW_MS + 600_000 })
  return control
}

async function events(line: string, world: World = {}): Promise<Ran> {
  const control = await eventful()
  return berth(words(`events ${line}`), { control: () => control, ...world })
}

const KINDS = ['accepted', 'placed', 'launched', 'up', 'placed', 'refused']

describe('berth events', () => {
  test('tells what happened, a line each, with relative times', async () => {
    const { code, out } = await events('llama-70b')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`60 s ago          accepted        1 replica, by ada
60 s ago          placed          0 on northwind/north-1, 4 GPUs, $9.40/h (the best that fits)
60 s ago          launched        0 was accepted by northwind as i-northwind-1
58 s ago          up              0 runs on northwind
2026-11-13 10:05  placed          0 on nebius/eu, 4 GPUs, $9.40/h (best)
now               refused         1 by lambda: sold out; remembered for 10 min
`)
  })

  test('says which keys of the manifest replaced a slot, as explain does', async () => {
    const control = furnishedPlane()
    const world = { control: () => control }
    for (const text of [MANIFEST.replace('vllm:0.22', 'vllm:0.23'), `${MANIFEST}labels: { team: ml }\n`]) {
      await control.apply({ project: 'default', text, file: 'w', idempotencyKey: `k${text.length}` })
      await control.pass(60)
    }
    const { out } = await berth(words('events llama-70b'), world)
    expect(out).toContain('changed         the manifest (image), generation 2, by ada')
    expect(out).toContain('replaced        0 on northwind makes way for the changed manifest (image)')
    expect(out).toContain('changed         the manifest (image, labels.team), generation 3, by ada')
    expect(out.match(/replaced +0(?:\.b)? on northwind .+\(image\)\n/g)).toHaveLength(2)
    expect((await berth(words('explain llama-70b'), world)).out).toContain('makes way for the changed manifest (image)')
  })

  test('names the subject where there may be several', async () => {
    expect((await events('')).out).toContain('accepted          llama-70b         1 replica, by ada')
  })

  test('--since leaves out what is older, --tail all but the last', async () => {
    expect((await events('--since 1h')).out).not.toContain('nebius')
    const { out } = await events('--tail 1 -o json')
    expect(JSON.parse(out).map((event: { kind: string }) => event.kind)).toEqual(['refused'])
  })

  test('followed, --tail shows the last of what there is, too', async () => {
    const { out } = await events('-f --tail 1 -o json', { interruptAfter: 1 })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual(['refused'])
  })

  test('-l shows those of workloads with the label', async () => {
    const control = planeOf([`${MANIFEST}labels: { team: ml }\n`, MANIFEST.replace('llama-70b', 'other')])
    const world = { control: () => control }
    const kinds = async (line: string): Promise<unknown> =>
      JSON.parse((await berth(words(line), world)).out).map((event: { kind: string }) => event.kind)
    expect(await kinds('events -l team=ml -o json')).toEqual(KINDS.slice(0, 4))
    expect(await kinds('events -l team=ml --tail 2 -o json')).toEqual(['launched', 'up'])
    expect(await kinds('events -l team=ml --newest --tail 2 -o json')).toEqual(['up', 'launched'])
    expect(await kinds('events -l team=web -o json')).toEqual([])
    expect((await berth(words('events llama-70b -l team=ml'), world)).code).toBe(EXIT.usage)
  })

  test('--newest begins with the newest, and --before has the next page', async () => {
    const control = await eventful()
    const run = (line: string) => berth(words(`events ${line}`), { control: () => control })
    const first = await run('llama-70b --newest --tail 4 -o json')
    const page: readonly { readonly kind: string; readonly seq: number }[] = JSON.parse(first.out)
    expect(page.map(({ kind }) => kind)).toEqual(KINDS.toReversed().slice(0, 4))
    const last = page.at(-1)?.seq
    const { out } = await run(`llama-70b --newest --tail 4 --before ${last} -o json`)
    expect(JSON.parse(out).map(({ kind }: { kind: string }) => kind)).toEqual(['placed', 'accepted'])
    const text = (await run('llama-70b --newest --tail 4')).out
    expect(text).toMatch(/^now +refused /)
    expect(text).toContain(`\n\nOlder:  berth events llama-70b --newest --tail 4 --before ${last}\n`)
    expect((await run('--newest')).out).not.toContain('Older')
    expect(JSON.parse((await run('--newest --since 1h --tail 2 -o json')).out)).toMatchObject([
      { kind: 'refused' },
      { kind: 'up' },
    ])
    expect((await run('--newest -f')).code).toBe(EXIT.usage)
  })

  test('nothing is a sentence', async () => {
    expect((await berth(['events'], { control: emptyPlane })).out).toBe('Nothing has happened yet.\n')
    const quiet = emptyPlane()
    await quiet.happen('up', { slot: '0' }, 7_200_000)
    expect((await berth(words('events --since 1h'), { control: () => quiet })).out).toBe(
      'Nothing happened in this time.\n',
    )
  })

  test('followed, JSON is one line each', async () => {
    const { out } = await events('llama-70b -f -o json', { interruptAfter: 6 })
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).kind),
    ).toEqual(KINDS)
  })

  test('followed, lines say when it was by the clock', async () => {
    const { out } = await events('llama-70b -f', { interruptAfter: 6 })
    expect(out).toBe(`10:04:00Z         accepted        1 replica, by ada
10:04:00Z         placed          0 on northwind/north-1, 4 GPUs, $9.40/h (the best that fits)
10:04:00Z         launched        0 was accepted by northwind as i-northwind-1
10:04:02Z         up              0 runs on northwind
2026-11-13 10:05  placed          0 on nebius/eu, 4 GPUs, $9.40/h (best)
10:05:00Z         refused         1 by lambda: sold out; remembered for 10 min
`)
  })

  test('followed, Ctrl-C ends it as it ends other programs', async () => {
    const { code, out } = await events('llama-70b -f', { interruptAfter: 3 })
    expect(code).toBe(EXIT.interrupted)
    expect(out.trimEnd().split('\n').length).toBeGreaterThanOrEqual(3)
  })

  test('an unknown workload is refused, with a suggestion', async () => {
    const { code, err } = await events('llama-70')
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('Did you mean llama-70b?')
  })

  test('a time is written as a time', async () => {
    const { code, err } = await events('--since yesterday')
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Write a time such as')
  })
})
