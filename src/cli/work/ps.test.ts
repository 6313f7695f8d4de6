import { describe, expect, test } from 'vitest'
import type { TestPlane } from '../plane.suite.ts'
import { emptyPlane, furnishedPlane } from '../planes.suite.ts'
import type { Placement } from '../../core/life/placement.ts'
import { EXIT } from '../cli.ts'
import { berth, MANIFEST, NOW_MS, words } from '../harness.suite.ts'

describe('berth ps', () => {
  test('lists what there is: how many are up, where, for how much, since when', async () => {
    const { code, out } = await berth(['ps'], { control: furnishedPlane })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`  NAME       KIND     READY  WHERE               $/h  AGE   STATE
  llama-70b  service    1/1  northwind/north-1  9.40  60 s  serving

1 workload, $9.40/h in all
`)
  })

  test('nothing is a sentence', async () => {
    const { out } = await berth(['ps'], { control: emptyPlane })
    expect(out).toBe('There are no workloads in project default.\n\nNext:  berth apply MANIFEST\n')
  })

  test('what to do next is in the same project', async () => {
    const { out } = await berth(words('ps --project research'), { control: emptyPlane })
    expect(out).toContain('Next:  berth apply MANIFEST --project research\n')
    const control = emptyPlane()
    const text = MANIFEST.replace('count: 4', 'count: 64')
    await control.apply({ project: 'research', text, file: 'w', idempotencyKey: 'k', create_project: true })
    await control.pass(1)
    const waits = await berth(words('ps -A'), { control: () => control })
    expect(waits.out).toContain('(berth explain llama-70b --project research)')
  })

  test('what waits says for what, when it looks again and how to learn more', async () => {
    const control = emptyPlane()
    await control.apply({ project: 'default', text: MANIFEST, file: 'w', idempotencyKey: 'k' })
    const waiting = { sinceMs: NOW_MS, code: 'SOLD_OUT', text: 'no H100\u001b[2J free', nextLookMs: NOW_MS + 40_000 }
    await control.rewrite('llama-70b', { status: { waiting }, slot: undefined })
    const { out } = await berth(['ps'], { control: () => control })
    expect(out).toContain('0/1  -        -  0 s  no H100 [2J free; next look in 40 s (berth explain llama-70b)\n')
  })

  test('what waits in the queue of its provider is queued, with the reason, everywhere', async () => {
    const control = furnishedPlane()
    const queued = { sinceMs: NOW_MS - 120_000, reason: 'Priority' }
    await control.rewrite('llama-70b', { slot: () => ({ phase: 'starting', queued }) })
    const { out } = await berth(['ps'], { control: () => control })
    expect(out).toContain('0 at northwind queued for 2 min: Priority')
    const got = await berth(words('get llama-70b'), { control: () => control })
    expect(got.out).toContain('queued for 2 min: Priority')
    const why = await berth(words('explain llama-70b'), { control: () => control })
    expect(why.out).toContain('queued for 2 min: Priority')
    const data = await berth(words('ps -o json'), { control: () => control })
    expect(JSON.stringify(JSON.parse(data.out))).toContain('"state":"queued"')
  })

  test('the cause of trouble is shown where it is known, everywhere', async () => {
    const control = furnishedPlane()
    const trouble = { atMs: NOW_MS, sinceMs: NOW_MS, slot: '0', text: 'There is no program pyton3 on this host.' }
    await control.rewrite('llama-70b', {
      status: { failures: 2, backoffUntilMs: NOW_MS + 20_000, trouble },
      slot: undefined,
    })
    const world = { control: () => control }
    const why = 'it failed 2 times: There is no program pyton3 on this host'
    expect((await berth(['ps'], world)).out).toContain(`${why}; next try in 20 s (berth explain llama-70b)`)
    expect((await berth(words('get llama-70b'), world)).out).toContain(`llama-70b: 0 of 1 up, ${why}; next try in 20 s`)
    expect((await berth(words('explain llama-70b'), world)).out).toContain(
      `llama-70b is waiting (0 of 1 up): ${why} [BACKOFF], next try in 20 s.`,
    )
  })

  test('a stop that takes its usual time sounds like no trouble', async () => {
    const control = furnishedPlane()
    const stopping = (agoMs: number) => () => ({
      phase: 'stopping' as const,
      tries: 3,
      fault: 'no answer',
      sinceMs: NOW_MS - agoMs,
    })
    await control.rewrite('llama-70b', { slot: stopping(9000) })
    const world = { control: () => control }
    expect((await berth(words('get llama-70b'), world)).out).toContain(' stopping  127')
    await control.rewrite('llama-70b', { slot: stopping(120_000) })
    expect((await berth(words('get llama-70b'), world)).out).toContain('stopping for 2 min, asked 4 times')
  })

  describe('of many', () => {
    async function several(): Promise<TestPlane> {
      const control = emptyPlane()
      for (const [name, labels] of [
        ['a', 'team: ml, stage: test'],
        ['b', 'team: ml'],
        ['c', 'team: web'],
      ]) {
        const text = `${MANIFEST.replace('llama-70b', name ?? '')}labels: { ${labels} }\n`
        await control.apply({ project: 'default', text, file: 'w', idempotencyKey: `${name}` })
      }
      await control.pass(10)
      const costs =
        (usdPerHour: number) =>
        ({ order, reserved }: Placement) => {
          return { reserved: { ...reserved, usdPerHour }, order, phase: 'starting' as const }
        }
      const end = { state: 'failed', why: 'exit code 1', atMs: NOW_MS } as const
      await control.rewrite('a', { workload: { createdMs: NOW_MS - 3_600_000 }, slot: costs(1) })
      await control.rewrite('b', { workload: { createdMs: NOW_MS - 7_200_000 }, status: { end }, slot: costs(9) })
      await control.rewrite('c', { workload: { createdMs: NOW_MS - 7_200_000 }, slot: costs(5) })
      return control
    }

    test.each([
      ['-l team=ml', ['a', 'b']],
      ['-l team=ml,stage!=test', ['b']],
      ['--state failed starting', ['a', 'b', 'c']],
      ['--state failed', ['b']],
      ['--provider northwind', ['a', 'b', 'c']],
      ['--provider elsewhere', []],
      ['--sort cost', ['b', 'c', 'a']],
      ['--sort age', ['a', 'b', 'c']],
      ['--sort state', ['b', 'a', 'c']],
    ])('ps %s lists %j', async (line, names) => {
      const control = await several()
      for (const command of ['ps', 'get']) {
        const { out } = await berth(words(`${command} ${line} -o json`), { control: () => control })
        expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(names)
      }
    })

    test('names alone are enough', async () => {
      const control = await several()
      const { out } = await berth(words('ps c a -o json'), { control: () => control })
      expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(['a', 'c'])
    })

    test('no match gives a sentence, and an invalid selector is refused', async () => {
      const control = await several()
      const world = { control: () => control }
      expect((await berth(words('ps -l team=none'), world)).out).toContain('No workload matches.')
      const { code, err } = await berth(words('ps -l =x'), world)
      expect([code, err]).toEqual([EXIT.usage, expect.stringContaining('team=ml,stage!=test')])
      expect((await berth(words('ps --state up'), world)).code).toBe(EXIT.usage)
    })

    test('-w shows the list again when it changes, until Ctrl-C', async () => {
      const control = await several()
      let sleeps = 0
      const onSleep = async (): Promise<void> => {
        if (sleeps++ === 1) await control.rewrite('c', { slot: () => ({ phase: 'running' }) })
      }
      const { code, out } = await berth(words('ps -w'), { control: () => control, onSleep, interruptAt: 3 })
      expect(code).toBe(EXIT.interrupted)
      expect(out.match(/3 workloads/g)).toHaveLength(2)
      const drawn = await berth(words('ps -w'), { control: () => control, interruptAt: 0, columns: 80 })
      expect(drawn.out.startsWith('\u001b[H\u001b[J')).toBe(true)
    })

    test('several are stopped and removed at once, by name and by label', async () => {
      const control = await several()
      const world = { control: () => control }
      const stopped = await berth(words('stop a b'), world)
      expect(stopped.out).toContain('a is being stopped: 1 slot still running')
      expect(stopped.out).toContain('b is being stopped: 1 slot still running')
      const { asked, code } = await berth(words('rm -l team=ml'), { ...world, answers: ['y'] })
      expect([code, asked]).toEqual([EXIT.ok, ['Remove a, b? This stops 2 running slots ($10.00/h). [y/N] ']])
      const data = await berth(words('rm c -l team=web --yes'), world)
      expect(data.code).toBe(EXIT.usage)
      const nothing = await berth(words('rm -l team=none --yes -o json'), world)
      expect([nothing.code, JSON.parse(nothing.out)]).toEqual([EXIT.ok, []])
    })
  })

  test('follows what apply, scale and stop did', async () => {
    const control = furnishedPlane()
    const state = async (): Promise<unknown> => {
      const { out } = await berth(words('ps -o json'), { control: () => control })
      return JSON.parse(out).map((view: Record<string, unknown>) => [view['total'], view['state']])
    }
    await berth(words('scale llama-70b 3'), { control: () => control })
    await control.pass(10)
    expect(await state()).toEqual([[3, 'serving']])
    await berth(words('stop llama-70b'), { control: () => control })
    await control.pass(10)
    expect(await state()).toEqual([[3, 'stopped']])
    await berth(words('rm llama-70b --yes'), { control: () => control })
    await control.pass(10)
    expect(await state()).toEqual([])
  })

  test('shows a hundred and says that there are more; data and --all have them all', async () => {
    const control = emptyPlane()
    for (let at = 0; at < 130; at++)
      await control.apply({
        project: 'default',
        text: MANIFEST.replace('llama-70b', `w-${String(at).padStart(3, '0')}`),
        file: 'w',
        idempotencyKey: `${at}`,
      })
    const world = { control: () => control }
    const { out } = await berth(['ps'], world)
    expect(out.split('\n').filter((line) => line.startsWith('  w-'))).toHaveLength(100)
    expect(out).toContain('There are more: berth ps --all')
    expect(JSON.parse((await berth(words('ps -o json'), world)).out)).toHaveLength(130)
    expect((await berth(words('ps --all'), world)).out).toContain('130 workloads')
  })

  test('the project comes from the flag, the environment, or is default', async () => {
    const control = emptyPlane()
    await control.apply({ project: 'research', text: MANIFEST, file: 'w', idempotencyKey: 'k', create_project: true })
    const env = { BERTH_URL: 'http://a', BERTH_TOKEN: 't', BERTH_PROJECT: 'research' }
    expect((await berth(['ps'], { control: () => control, env })).out).toContain('llama-70b')
    expect((await berth(words('ps --project other'), { control: () => control, env })).out).toContain('project other')
    expect((await berth(['ps', '-A'], { control: () => control })).out).toContain('  research  llama-70b')
  })

  test('a control plane that is not known, or not there, says how to go on', async () => {
    const nowhere = await berth(['ps'], { env: { HOME: '/home/ada' } })
    expect(nowhere.code).toBe(EXIT.unreachable)
    expect(nowhere.err).toContain('CONTROL_PLANE_UNKNOWN')
    expect(nowhere.err).toContain('berth up')
    const control = furnishedPlane()
    await control.lose(9)
    const gone = await berth(words('get llama-70b'), { control: () => control })
    expect(gone.code).toBe(EXIT.unreachable)
    expect(gone.err).toContain('CONTROL_PLANE_UNREACHABLE')
  })

  test('the token is never printed', async () => {
    const { targets, out, err } = await berth(['ps'], { control: furnishedPlane })
    expect(targets.map(({ url, token }) => [url, token?.reveal(), `${token}`])).toEqual([
      ['http://127.0.0.1:7700', 'for-tests', '***'],
    ])
    expect(out + err).not.toContain('for-tests')
  })
})
