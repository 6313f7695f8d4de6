import { describe, expect, test } from 'vitest'
import { pinsOf } from './apply.ts'
import { emptyPlane, furnishedPlane, jobOf, planeOf } from '../planes.suite.ts'
import { EXIT } from '../cli.ts'
import { berth, CTRL_C, INVENTORY, MANIFEST, words, type Ran, type World } from '../harness.suite.ts'
import type { SavedPlan } from '../plan/saved-plan.ts'

const TWO = MANIFEST.replace('name: llama-70b', 'name: two').replace('count: 4', 'count: 1') + 'replicas: 2\n'
const BIG = MANIFEST.replace('name: llama-70b', 'name: big').replace('count: 4', 'count: 64')
const SOLD_OUT = MANIFEST.replace('name: llama-70b', 'name: sold-out').replace(/gpu: .*/, 'gpu: { arch: ada }')
const files = {
  'w.yaml': MANIFEST,
  'two.yaml': TWO,
  'big.yaml': BIG,
  'sold-out.yaml': SOLD_OUT,
  'inventory.yaml': INVENTORY,
}

function apply(line: string, control = emptyPlane(), world: World = {}): Promise<Ran> {
  return berth(['apply', ...words(line)], { files, control: () => control, ...world })
}

describe('berth apply', () => {
  test('shows the plan, asks with the price, and follows the work until it is up', async () => {
    const { code, out, err, asked } = await apply('w.yaml', emptyPlane(), { answers: [''] })
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    expect(asked).toEqual(['Place 1 replica for $9.40/h? [Y/n] '])
    expect(out.startsWith('llama-70b: 1 of 1 replica has a place, $9.40/h in all\n')).toBe(true)
    expect(out.slice(out.indexOf('llama-70b is accepted'))).toBe(`llama-70b is accepted.
  0  northwind/north-1  launched, not up yet, $9.40/h
  0  northwind/north-1  running, $9.40/h
llama-70b is up at http://127.0.0.1:31230 (1 of 1 replica, 6 s)
Next:  berth logs llama-70b -f      berth ps
`)
  })

  test('says before it asks what has no effect, and in the data of a script', async () => {
    const idle = { ...files, 'w.yaml': `${MANIFEST}replicas: { min: 1, max: 4 }\n` }
    const { code, err, asked } = await apply('w.yaml', emptyPlane(), { files: idle, answers: ['n'] })
    expect([code, asked.length]).toEqual([EXIT.notDone, 1])
    expect(err).toContain('w.yaml has 1 warning\n')
    expect(err).toContain('`replicas.max` has no effect yet')
    const warnings = [{ code: 'NO_EFFECT_YET', found: 'replicas.max', line: expect.any(Number) }]
    const dry = await apply('w.yaml --dry-run -o json', emptyPlane(), { files: idle })
    expect(JSON.parse(dry.out)).toMatchObject({ plans: [{ warnings }] })
    for (const flags of ['--yes', '--yes --detach']) {
      const done = await apply(`w.yaml ${flags} -o json`, emptyPlane(), { files: idle })
      expect(done.err).toBe('')
      expect(JSON.parse(done.out)).toMatchObject({ applied: [{ outcome: 'created', warnings }] })
    }
  })

  test('draws one line a slot again and again on a terminal', async () => {
    const { out } = await apply('two.yaml --yes', emptyPlane(), { columns: 60 })
    expect(out).toContain('Ctrl-C now leaves everything running.\n')
    expect(out.split('\u001b[2A\u001b[J').length).toBeGreaterThan(3)
    const drawn = out.slice(out.indexOf('Ctrl-C')).split('\n')
    expect(drawn.every((line) => [...line].length < 60 + '\u001b[2A\u001b[J'.length)).toBe(true)
  })

  test('applied again, it says unchanged, asks nothing and sends the same', async () => {
    const control = furnishedPlane()
    const { code, out, asked } = await apply('w.yaml', control, { answers: [] })
    expect(code).toBe(EXIT.ok)
    expect(asked).toEqual([])
    expect(out).toContain('llama-70b is unchanged.\n')
    const { out: json } = await apply('w.yaml -o json', control)
    expect(JSON.parse(json)).toMatchObject({ ended: 'up', applied: [{ outcome: 'unchanged' }] })
  })

  test('what was stopped is started again, and what is changed is asked about as a change', async () => {
    const control = furnishedPlane()
    await control.stop({ project: 'default', name: 'llama-70b' })
    const { out, asked } = await apply('w.yaml', control, { answers: ['y'] })
    expect(asked).toEqual(['Change llama-70b (1 added) for $9.40/h in all? [Y/n] '])
    expect(out).toContain('llama-70b is changed (generation 3).')
  })

  test('says what replacing costs: an only replica serves until its successor does, several go one at a time', async () => {
    const control = furnishedPlane()
    const other = (text: string) => text.replace('vllm:0.22', 'vllm:0.23')
    const one = await apply('w.yaml --dry-run', control, { files: { 'w.yaml': other(MANIFEST) } })
    expect(one.out).toContain(
      '\n1 replica is replaced; it serves until its successor does, where there is room for both.\n',
    )
    await control.apply({ project: 'default', text: TWO, file: 'two.yaml', idempotencyKey: 'two' })
    const two = await apply('two.yaml --dry-run', control, { files: { 'two.yaml': other(TWO) } })
    expect(two.out).toContain('\n2 replicas are replaced, one replica at a time.\n')
  })

  test('says beforehand that the old one stops first where two at once are not possible, and why', async () => {
    const control = furnishedPlane()
    await control.setProject({ project: 'default', gpus_max: 4 })
    const other = { 'w.yaml': MANIFEST.replace('vllm:0.22', 'vllm:0.23') }
    const why = 'project default may use 4 GPUs and uses 4; this needs 4: free 4 or ask an administrator'
    const { out } = await apply('w.yaml --dry-run', control, { files: other })
    expect(out).toContain(`\nStops 0 before its successor starts: ${why}`)
    expect(out).toContain('\n1 replica is replaced.\n')
    const json = await apply('w.yaml --dry-run -o json', control, { files: other })
    const stops = { slots: ['0'], why: expect.stringContaining(why) }
    expect(JSON.parse(json.out)).toMatchObject({ plans: [{ plan: { stops_first: stops } }] })
    const plan = await berth(['plan', 'w.yaml'], { files: other, control: () => control })
    expect(plan.out).toContain(`\nStops 0 before its successor starts: ${why}`)
    // Nothing runs yet, so nothing stops.
    const fresh = await apply('w.yaml --dry-run', emptyPlane())
    expect(fresh.out).not.toContain('Stops')
  })

  test('says which fields change, and what becomes of the replicas, before it asks', async () => {
    const control = furnishedPlane()
    const changed = MANIFEST.replace('80Gi', '40Gi') + 'replicas: 2\nenv: { MODEL: x }\n'
    const world = { files: { 'w.yaml': changed, 'inventory.yaml': INVENTORY }, answers: ['n'] }
    const { out, asked } = await apply('w.yaml', control, world)
    expect(out).toContain(`llama-70b changes:
  resources.gpu.min_vram  80Gi → 40Gi
  replicas                not set → 2
  env.MODEL               not set → x

1 replica is replaced, 1 is added.
`)
    expect(asked).toEqual(['Change llama-70b (1 replaced, 1 added) for $18.80/h in all? [Y/n] '])
    const dry = await apply('w.yaml --dry-run -o json', control, { files: world.files })
    expect(JSON.parse(dry.out).plans[0]).toMatchObject({
      outcome: 'change',
      changes: [{ field: 'resources.gpu.min_vram', from: '80Gi', to: '40Gi' }, { to: '2' }, { to: 'x' }],
      replicas: { replaced: 1, kept: 0, added: 1, removed: 0 },
    })
    expect((await apply('w.yaml --dry-run', control, { files: world.files })).out).toContain('80Gi → 40Gi')
  })

  test('what is done stays done and says how to run it again; what failed starts again and says so', async () => {
    const job = { files: { 'w.yaml': jobOf({ seconds: 5, more: 'restart: { max: 0 }\n' }) } }
    const ended = planeOf([job.files['w.yaml']], 30)
    const done = await apply('w.yaml', ended, { ...job, answers: [] })
    expect(done.out).toContain('llama-70b is unchanged and done. To run it again:')
    expect(done.out).toContain('berth rerun llama-70b')
    const bad = { files: { 'w.yaml': jobOf({ seconds: 5, exits: '1', more: 'restart: { max: 0 }\n' }) } }
    const failed = await apply('w.yaml --yes --detach', planeOf([bad.files['w.yaml']], 30), bad)
    expect(failed.out).toContain('llama-70b has failed. It starts again unchanged: 1 replica is added.')
    expect(failed.out).toContain('llama-70b starts again (generation 2).')
  })

  test('Ctrl-C at the question changes nothing and ends with 130', async () => {
    const control = emptyPlane()
    const { code, err } = await apply('w.yaml', control, { answers: [CTRL_C] })
    expect([code, err]).toEqual([EXIT.interrupted, 'Nothing was changed.\n'])
    expect(control.applied).toEqual([])
  })

  test('no is no', async () => {
    const control = emptyPlane()
    const { code, err } = await apply('w.yaml', control, { answers: ['n'] })
    expect(code).toBe(EXIT.notDone)
    expect(err).toBe('Nothing was changed.\n')
    expect(control.applied).toEqual([])
  })

  test('takes only yes for yes, and gives up after three tries or at the end of the input', async () => {
    const control = emptyPlane()
    const mumbled = await apply('w.yaml', control, { answers: ['well', 'hm', '?', 'y'] })
    expect(mumbled.asked).toHaveLength(3)
    const silent = await apply('w.yaml', control, { answers: [] })
    expect([mumbled.code, silent.code]).toEqual([EXIT.notDone, EXIT.notDone])
    expect(control.applied).toEqual([])
  })

  test('without a terminal, --yes is needed', async () => {
    const control = emptyPlane()
    const { code, err } = await apply('w.yaml', control)
    expect(code).toBe(EXIT.unconfirmed)
    expect(err).toContain('CONFIRMATION_MISSING')
    expect(err).toContain('--yes')
    expect(control.applied).toEqual([])
  })

  test('--dry-run changes nothing', async () => {
    const control = emptyPlane()
    const { code, out } = await apply('w.yaml --dry-run', control)
    expect(code).toBe(EXIT.ok)
    expect(out.endsWith('\n\nNothing was changed (--dry-run).\n')).toBe(true)
    expect((await apply('big.yaml --dry-run', control)).code).toBe(EXIT.doesNotFit)
    expect(control.applied).toEqual([])
  })

  test.each(['--dry-run', '--yes', ''])('a missing secret is reported at once (%s)', async (flag) => {
    const control = furnishedPlane()
    const world = { files: { 's.yaml': `${TWO}secrets: [HF_TOKN, OTHER]\n` }, answers: ['y'] }
    const { code, err, asked } = await apply(`s.yaml ${flag}`, control, world)
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain(
      'two needs the secret HF_TOKN, which project default does not have.\n    Did you mean HF_TOKEN?',
    )
    expect(err).toContain('Set it first: berth secret set OTHER')
    expect(asked).toEqual([])
    expect(control.applied).toEqual([])
  })

  test('several are shown, asked about and followed together', async () => {
    const control = emptyPlane()
    const { code, out, asked } = await apply('w.yaml two.yaml', control, { answers: ['y'] })
    expect(code).toBe(EXIT.ok)
    expect(asked).toEqual(['Place 3 replicas for $28.20/h? [Y/n] '])
    expect(out).toContain('  two  1  northwind/north-1  running')
    expect(control.applied.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['id-0', 'id-1'])
  })

  test('two manifests with the same name are refused', async () => {
    const { code, err } = await apply('w.yaml w.yaml --yes')
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('two of the manifests have the name llama-70b')
  })

  test('an invalid manifest is refused before the question', async () => {
    const world = { files: { 'bad.yaml': MANIFEST.replace('image:', 'imago:') } }
    const { code, err, targets } = await apply('bad.yaml --yes', emptyPlane(), world)
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('Did you mean image?')
    expect(targets).toEqual([])
  })

  test('--detach does not wait', async () => {
    const { code, out } = await apply('w.yaml --yes --detach')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('llama-70b is accepted.\nNext:  berth explain llama-70b')
    expect(out).not.toContain('asking the provider')
  })
})

describe('what has no place', () => {
  test('is not applied, and ends with 2', async () => {
    const control = emptyPlane()
    const { code, out, err } = await apply('big.yaml --yes', control)
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toContain('big: no place.')
    expect(err).toContain('--queue')
    expect(control.applied).toEqual([])
  })

  test('is asked about on a terminal, where no is usual', async () => {
    const control = emptyPlane()
    const { code, asked } = await apply('big.yaml', control, { answers: [''] })
    expect(asked).toEqual(['There is no place for all of it. Accept big and let it wait for one? [y/N] '])
    expect(code).toBe(EXIT.notDone)
    expect(control.applied).toEqual([])
  })

  test('waits with --queue until the time runs out where waiting helps, and ends with 4', async () => {
    const control = emptyPlane()
    const { code, out } = await apply('sold-out.yaml --yes --queue --timeout 3s', control)
    expect(code).toBe(EXIT.notDone)
    expect(out).toMatch(/ {2}-  waiting: (.*)\nsold-out is not up after 3 s: \1\. Berth keeps trying\.\n/)
    expect(out).toContain('Next:  berth explain sold-out')
  })

  test.each([
    ['QUOTA_PROJECT', { gpus_max: 1 }],
    ['BUDGET_PROJECT', { usd_per_hour_max: 1 }],
  ])('%s is said by the plan, and ends the waiting at once', async (reason, limits) => {
    const control = emptyPlane()
    await control.setProject({ project: 'default', ...limits })
    const planned = await apply('w.yaml --yes', control)
    expect(planned.code).toBe(EXIT.doesNotFit)
    expect(planned.out).toContain(`llama-70b: no place. ${reason}: project default may `)
    const { code } = await apply('w.yaml --yes --queue', control)
    expect(code).toBe(EXIT.doesNotFit)
    const { waiting } = await control.workload({ project: 'default', name: 'llama-70b' })
    expect(waiting?.code).toBe(reason)
  })

  test('a plan that is no longer to be had ends the waiting at once', async () => {
    const control = emptyPlane()
    const saved = await berth(words('plan w.yaml --save p.json'), { files, control: () => control })
    const { cloud } = await control.cloud()
    cloud.setPrice('northwind/north-1/nw-h100-4', 11)
    await control.pass(120)
    const { code } = await apply('--plan p.json --yes', control, { files: Object.fromEntries(saved.files) })
    expect(code).toBe(EXIT.doesNotFit)
  })
})

describe('while it comes up', () => {
  test('a lost connection is reported once, and so is its return', async () => {
    const control = emptyPlane()
    let sleeps = 0
    const { code, out } = await apply('w.yaml --yes', control, {
      onSleep: async () => {
        if (sleeps++ === 1) await control.lose(1)
      },
    })
    expect(code).toBe(EXIT.ok)
    expect(out.split('The control plane does not answer')).toHaveLength(2)
    expect(out.split('The control plane answers again.')).toHaveLength(2)
    expect(out).toContain('llama-70b is up at')
  })

  test.each([undefined, 80])(
    'Ctrl-C leaves the work running and says how to look again (columns: %s)',
    async (columns) => {
      const control = emptyPlane()
      const { code, out } = await apply('w.yaml --yes', control, {
        interruptAt: 0,
        ...(columns !== undefined && { columns }),
      })
      expect(code).toBe(EXIT.interrupted)
      expect(out).toContain('llama-70b continues in the background (0 of 1 up).\n')
      expect(out).toContain('Next:  berth explain llama-70b      berth events llama-70b -f\n')
      expect((await control.workload({ project: 'default', name: 'llama-70b' })).want).toBe('running')
    },
  )

  test('what fails ends with 4', async () => {
    const text = jobOf({ seconds: 1, exits: '1', more: 'restart: { max: 0 }\n' })
    const { code, out } = await apply('w.yaml --yes', emptyPlane(), { files: { 'w.yaml': text } })
    expect(code).toBe(EXIT.notDone)
    expect(out).toMatch(/llama-70b has failed: .*exit code 1/)
  })

  const shaky = (env: string): Promise<Ran> =>
    apply('w.yaml --yes --timeout 9s', emptyPlane(), { files: { 'w.yaml': `${MANIFEST}env: ${env}\n` } })

  test('what falls over as soon as it runs is not said to be up', async () => {
    const { code, out } = await shaky("{ SIM_SECONDS: '1', SIM_EXIT: '1' }")
    expect(code).toBe(EXIT.notDone)
    expect(out).not.toContain('is up')
    expect(out).toMatch(/llama-70b is not up after 9 s: it failed once: exit code 1.*\. Berth keeps trying\.\n/)
  })

  test('what has no health check is up once it has run for a moment, whatever the clock of the control plane says', async () => {
    const { code, out } = await shaky('{ A: b }')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('llama-70b is up at')
  })

  test('shows how often it was restarted, and that a job runs', async () => {
    const control = planeOf([jobOf({ seconds: 60, exits: '1,1,0' })], 200)
    const { out } = await apply('w.yaml --yes', control, {
      files: { 'w.yaml': jobOf({ seconds: 60, exits: '1,1,0' }) },
    })
    expect(out).toContain('llama-70b is running at http://127.0.0.1:31230 (1 of 1 replica, 2 restarts so far)\n')
  })

  test('does not wait for a workload that another user stops', async () => {
    const control = emptyPlane()
    const onSleep = () => control.stop({ project: 'default', name: 'llama-70b' })
    expect((await apply('w.yaml --yes', control, { onSleep })).code).toBe(EXIT.notDone)
  })
})

test('the next step names the project that was named', async () => {
  const { out } = await apply('w.yaml --yes --project research --create-project')
  expect(out).toContain('Next:  berth logs llama-70b --project research -f      berth ps --project research\n')
})

describe('berth apply --plan', () => {
  async function planned(line: string): Promise<Readonly<Record<string, Uint8Array>>> {
    return Object.fromEntries(
      (await berth(words(`plan ${line} --offers inventory.yaml --save p.json`), { files })).files,
    )
  }

  test('binds exactly what was planned', async () => {
    const control = emptyPlane()
    const { code } = await apply('--plan p.json --yes', control, { files: await planned('two.yaml') })
    expect(code).toBe(EXIT.ok)
    const [request] = control.applied
    expect(request?.text).toBe(TWO)
    expect(request?.pinned?.map(({ slot, usd_per_hour: usdPerHour }) => [slot, usdPerHour])).toEqual([
      ['0', 9.4],
      ['1', 9.4],
    ])
    expect(request?.pinned?.[0]?.offer).toContain('nw-h100-4')
  })

  test('another manifest than the one in the plan is refused', async () => {
    const saved = await planned('two.yaml')
    const same = await apply('two.yaml --plan p.json --yes', emptyPlane(), { files: saved })
    expect(same.code).toBe(EXIT.ok)
    const { code, err } = await apply('w.yaml --plan p.json --yes', emptyPlane(), { files: saved })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('PLAN_OTHER')
  })

  test('slots are named as the control plane names them', async () => {
    const saved = await planned('w.yaml')
    const { report }: SavedPlan = JSON.parse(new TextDecoder().decode(saved['p.json']))
    const [chosen, ask] = [report.chosen[0], report.asks[0]]
    if (chosen === undefined || ask === undefined) throw new Error('the plan chose something')
    const gang = { ...report, chosen: [{ ...chosen, node: 3 }], asks: [{ ...ask, nodes: 4 }] }
    const roles = { ...report, chosen: [{ ...chosen, role: 'decode', replica: 2 }], asks: [{ ...ask, role: 'decode' }] }
    expect(pinsOf(gang).map(({ slot }) => slot)).toEqual(['0.3'])
    expect(pinsOf(roles).map(({ slot }) => slot)).toEqual(['decode-2'])
  })
})
