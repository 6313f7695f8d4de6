import { describe, expect, test } from 'vitest'
import { furnishedBerth } from '../berth.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words } from '../harness.suite.ts'

describe('berth get', () => {
  test('shows every slot with its place, price and address', async () => {
    const { code, out } = await berth(words('get llama-70b'), { control: furnishedBerth })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`llama-70b: 1 of 1 up, serving

  project   default
  kind      service
  wanted    running (generation 1)
  since     3 h ago, changed 60 s ago
  costs     $9.40/h

  SLOT  WHERE              INSTANCE   $/h  SINCE  STATE    ADDRESS
  0     northwind/north-1  i-0       9.40  41 s   running  127.0.0.1:31230

Next:  berth logs llama-70b -f      berth events llama-70b
`)
  })

  test('says which template it came from, how often it was restarted and what that cost', async () => {
    const control = furnishedBerth()
    control.change('llama-70b', { template: { name: 'vllm', version: 3 }, restarts: 2, lost_seconds: 300 })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 up, serving, restarted 2 times\n')
    expect(out).toContain('  template  vllm@3\n  restarts  2, 5m of work lost\n')
  })

  test('marks slots on the previous version, and ps says how far the roll-out is', async () => {
    const control = furnishedBerth()
    const { slots } = await control.workload({ project: 'default', name: 'llama-70b' })
    control.change('llama-70b', { updated: 0, slots: slots.map((slot) => ({ ...slot, current: false })) })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 up, serving, rolling out (0 of 1)\n')
    expect(out).toContain('running, previous version  127.0.0.1:31230\n')
    expect((await berth(words('ps'), { control: () => control })).out).toContain('serving, rolling out (0 of 1)\n')
  })

  test('a job that is done is not shown as wanted running', async () => {
    const control = furnishedBerth()
    control.change('llama-70b', { kind: 'job', state: 'done' })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('  wanted    run to its end (generation 1)\n')
  })

  test('says where the image is not used', async () => {
    const control = furnishedBerth()
    const { slots } = await control.workload({ project: 'default', name: 'llama-70b' })
    const decision = { at_ms: NOW_MS, policy: 'p', candidates: 1, fitting: 1, refused: {}, image_unused: true }
    control.change('llama-70b', { slots: slots.map((slot) => ({ ...slot, decision })) })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('  On northwind it runs as a process on the host: its image is not used.\n')
  })

  test('what is not known is ?, what is set aside says why', async () => {
    const control = furnishedBerth()
    const { slots } = await control.workload({ project: 'default', name: 'llama-70b' })
    control.change('llama-70b', {
      state: 'set-aside',
      set_aside: 'its row makes no sense',
      slots: slots.map((slot) => ({ ...slot, instance: undefined, phase: 'unknown' })),
    })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('set aside: its row makes no sense')
    expect(out).toMatch(
      /^ {2}0 +northwind\/north-1 +\? .* it is not known yet whether it was started; its place is kept/m,
    )
    expect(out).toContain('Next:  berth explain llama-70b')
  })

  test('a job that is done has nothing up, and attempts that are over are listed', async () => {
    const control = furnishedBerth()
    const end = { state: 'done' as const, why: 'ran to its end', atMs: NOW_MS - 120_000 }
    control.change('llama-70b', { state: 'done', end, slots: [], ready: 1, restarts: 1 })
    const now = { slot: '0', number: 2, id: 'a2', provider: 'here', instance: 'p-2', placed_ms: NOW_MS - 200_000 }
    control.attempted.push({
      slot: '0',
      number: 1,
      id: 'a1',
      provider: 'here',
      instance: 'p-1',
      placed_ms: NOW_MS - 400_000,
      up_ms: NOW_MS - 360_000,
      ended_ms: NOW_MS - 300_000,
      end: 'exit code 1',
    })
    control.attempted.push({ ...now, up_ms: NOW_MS - 190_000, ended_ms: undefined, end: undefined })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('llama-70b: 1 of 1 done, 2 min ago\n')
    expect(out).toContain(`Ended attempts:
  SLOT  ATTEMPT  WHERE  RAN FOR  ENDED      HOW
  0           1  here   60 s     5 min ago  exit code 1
`)
    expect(out).toContain('berth logs llama-70b --previous')
    const { out: json } = await berth(words('get llama-70b -o json'), { control: () => control })
    expect(JSON.parse(json).attempts).toHaveLength(2)
  })

  test('--manifest gives back what was applied', async () => {
    expect((await berth(words('get llama-70b --manifest'), { control: furnishedBerth })).out).toBe(MANIFEST)
  })

  test('a name that does not exist gets what was meant', async () => {
    const { code, err } = await berth(words('get llama-70'), { control: furnishedBerth })
    expect(code).toBe(EXIT.notFound)
    expect(err).toContain('There is no workload llama-70.\n    Did you mean llama-70b?')
  })

  test('the next steps name the project that was named', async () => {
    const control = furnishedBerth()
    await control.apply({ project: 'research', text: MANIFEST, file: 'w.yaml', idempotencyKey: 'k' })
    const world = { control: () => control }
    const { out } = await berth(words('get llama-70b --project research'), world)
    expect(out).toContain(
      'Next:  berth logs llama-70b --project research -f      berth events llama-70b --project research',
    )
    const explained = await berth(words('explain llama-70b --project research'), world)
    expect(explained.out).toContain('berth events llama-70b --project research')
  })

  test('from a day on, times are dates', async () => {
    const control = furnishedBerth()
    control.change('llama-70b', { created_ms: NOW_MS - 3 * 86_400_000 })
    const { out } = await berth(words('get llama-70b'), { control: () => control })
    expect(out).toContain('since     2026-11-12 10:05, changed 60 s ago')
  })
})
