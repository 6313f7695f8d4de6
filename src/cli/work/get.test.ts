import { describe, expect, test } from 'vitest'
import { emptyPlane, furnishedPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words } from '../harness.suite.ts'

describe('berth get', () => {
  test('shows every slot with its place, price and address', async () => {
    const { code, out } = await berth(words('get llama-70b'), { control: furnishedPlane })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`llama-70b: 1 of 1 up, serving

  project   default
  kind      service
  wanted    running (generation 1)
  since     60 s ago, changed 60 s ago
  costs     $9.40/h

  SLOT  WHERE              INSTANCE        $/h  SINCE  STATE    ADDRESS
  0     northwind/north-1  i-northwind-1  9.40  58 s   running  127.0.0.1:31230

Next:  berth logs llama-70b -f      berth events llama-70b
`)
  })

  test('says which template it came from, how often it was restarted and what that cost', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', {
      workload: { template: { name: 'vllm', version: 3 } },
      status: { restarts: 2, lostSeconds: 300 },
    })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 up, serving, restarted 2 times\n')
    expect(out).toContain('  template  vllm@3\n  restarts  2, 5m of work lost\n')
  })

  test('marks slots on the previous version, and ps says how far the roll-out is', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', { slot: () => ({ shape: 'of the version before' }) })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 up, serving, rolling out (0 of 1)\n')
    expect(out).toContain('running, previous version  127.0.0.1:31230\n')
    expect((await berth(words('ps'), { control: () => control })).out).toContain('serving, rolling out (0 of 1)\n')
  })

  test('says what a seat is', async () => {
    const control = furnishedPlane()
    await control.restart({ project: 'default', name: 'llama-70b' })
    await control.pass(120)
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('  0.b is another attempt of 0; --slot 0 means the one that serves.\n')
  })

  test('a job that is done is not shown as wanted running', async () => {
    const control = emptyPlane()
    const text = `${MANIFEST.replace('kind: service', 'kind: job')}env: { SIM_SECONDS: '5' }\n`
    await control.apply({ project: 'default', text, file: 'w', idempotencyKey: 'k' })
    await control.pass(30)
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 done')
    expect(out).toContain('  wanted    run to its end (generation 1)\n')
  })

  test('nor is a job that has failed, and explain says why its slot is gone', async () => {
    const control = planeOf([jobOf({ seconds: 5, exits: '1', more: 'restart: { max: 0 }\n' })], 30)
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('  wanted    run to its end (generation 1)\n')
    const why = await berth(words('explain llama-70b'), { control: () => control })
    expect(why.out).toContain('  0 is gone because: it ended by itself\n')
  })

  test('says where the image is not used', async () => {
    const control = furnishedPlane()
    const decision = { atMs: NOW_MS, policy: 'p', candidates: 1, fitting: 1, refused: {}, imageUnused: true } as const
    await control.rewrite('llama-70b', { slot: () => ({ decision }) })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('  On northwind it runs as a process on the host: its image is not used.\n')
  })

  test('what is not known is ?, what is set aside says why', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', {
      status: { setAside: 'its row makes no sense' },
      slot: () => ({ instance: undefined, phase: 'unknown' }),
    })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('set aside: its row makes no sense')
    expect(out).toMatch(
      /^ {2}0 +northwind\/north-1 +\? .* it is not known yet whether it was started; its place is kept/m,
    )
    expect(out).toContain('Next:  berth explain llama-70b')
  })

  test('a job that is done has nothing up, and attempts that are over are listed', async () => {
    const control = emptyPlane()
    const env = "env: { SIM_SECONDS: '60', SIM_EXIT: '1,0' }"
    const text = `${MANIFEST.replace('kind: service', 'kind: job')}${env}\n`
    await control.apply({ project: 'default', text, file: 'w', idempotencyKey: 'k' })
    await control.pass(270)
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toMatch(/^llama-70b: 1 of 1 done, \d+ (?:s|min) ago\n/)
    expect(out).toMatch(
      /Ended attempts:\n {2}SLOT +ATTEMPT +WHERE +RAN FOR +ENDED +HOW\n {2}0 +1 +northwind +\d+ s +\d min ago +exit code 1\n/,
    )
    expect(out).toContain('berth logs llama-70b --previous')
    const { out: json } = await berth(words('get llama-70b -o json'), { control: () => control })
    expect(JSON.parse(json).attempts).toHaveLength(2)
  })

  test('--manifest gives back what was applied', async () => {
    expect((await berth(words('get llama-70b --manifest'), { control: furnishedPlane })).out).toBe(MANIFEST)
  })

  test('a name that does not exist gets what was meant', async () => {
    const { code, err } = await berth(words('get llama-70'), { control: furnishedPlane })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('There is no workload llama-70 in project default.\n    Did you mean llama-70b?')
  })

  test('the next steps name the project that was named', async () => {
    const control = furnishedPlane()
    await control.apply({
      project: 'research',
      text: MANIFEST,
      file: 'w.yaml',
      idempotencyKey: 'k',
      create_project: true,
    })
    const world = { control: () => control }
    const { out } = await berth(words('get llama-70b --project research'), world)
    expect(out).toContain(
      'Next:  berth logs llama-70b --project research -f      berth events llama-70b --project research',
    )
    const explained = await berth(words('explain llama-70b --project research'), world)
    expect(explained.out).toContain('berth events llama-70b --project research')
  })

  test('from a day on, times are dates', async () => {
    const control = furnishedPlane()
    await control.rewrite('llama-70b', { workload: { createdMs: NOW_MS - 3 * 86_400_000 } })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('since     2026-11-12 10:05, changed 60 s ago')
  })
})
