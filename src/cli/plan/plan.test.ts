import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, textAt, words } from '../harness.suite.ts'

const files = { 'inventory.yaml': INVENTORY, 'w.yaml': MANIFEST, 'c.yaml': CONFIG }

function plan(flags: string, more: Readonly<Record<string, string>> = {}): ReturnType<typeof berth> {
  return berth(['plan', ...words(flags)], { files: { ...files, ...more } })
}

describe('berth plan', () => {
  test('answers first, then says why, then what to do next', async () => {
    const { code, out, err } = await plan('w.yaml --offers inventory.yaml')
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe('llama-70b: 1 of 1 replica has a place, $9.40/h in all')
    expect(out).toMatch(
      /^ {2}0 {8}northwind\/north-1 {2}nw-h100-4 {2}4 × H100 SXM 80 GB, NVLink .* 9\.40 {2}the only one that fits$/m,
    )
    expect(out).toContain('4 offers looked at in 1 ms; 3 turned down:')
    expect(lines.at(-1)).toMatch(
      /^Next: {2}berth plan w\.yaml --offers inventory\.yaml --all {6}berth explain [A-Z_]+$/,
    )
  })

  test('warns about keys without effect, for people and in JSON', async () => {
    const idle = {
      'w.yaml': `${MANIFEST}restart: { class: inference }\n`,
      'b.yaml': MANIFEST.replace('llama-70b', 'b'),
    }
    const { code, out, err } = await plan('w.yaml --offers inventory.yaml', idle)
    expect(code).toBe(EXIT.ok)
    expect(out).not.toContain('NO_EFFECT_YET')
    expect(err).toMatch(/^w\.yaml has 1 warning\n\n {2}NO_EFFECT_YET at w\.yaml:/)
    expect(err).toContain('`restart.class` has no effect yet')
    for (const more of ['', ' b.yaml']) {
      const json = await plan(`w.yaml${more} --offers inventory.yaml -o json`, idle)
      expect(json.err).toBe('')
      expect(JSON.parse(json.out).warnings).toMatchObject([{ code: 'NO_EFFECT_YET', found: 'restart.class' }])
    }
    expect(JSON.parse((await plan('b.yaml --offers inventory.yaml -o json', idle)).out)).not.toHaveProperty('warnings')
    expect((await plan('w.yaml b.yaml --offers inventory.yaml', idle)).err).toContain('w.yaml has 1 warning')
  })

  test('says once that there is only one that fits', async () => {
    const { out } = await plan('w.yaml --offers inventory.yaml', { 'w.yaml': `${MANIFEST}replicas: 3\n` })
    const whys = out.split('\n').flatMap((line) => /9\.40 {2}(.+)$/.exec(line)?.slice(1) ?? [])
    expect(whys).toEqual(['the only one that fits', 'another of the same', 'another of the same'])
  })

  test('its next step can be pasted: flags stay, odd names are quoted', async () => {
    const { out } = await plan('my_job.yaml --config c.yaml --offers inventory.yaml', { 'my_job.yaml': MANIFEST })
    expect(out).toContain('Next:  berth plan my_job.yaml --config c.yaml --offers inventory.yaml --all')
    const spaced = await berth(['plan', "it's.yaml", '--offers', 'inventory.yaml'], {
      files: { ...files, "it's.yaml": MANIFEST },
    })
    expect(spaced.out).toContain(`berth plan 'it'\\''s.yaml' --offers inventory.yaml --all`)
  })

  test('what came through standard input is not offered again', async () => {
    const { out } = await plan('- --offers inventory.yaml', { '-': MANIFEST })
    expect(out).toContain('llama-70b: 1 of 1 replica has a place')
    expect(out).not.toContain('berth plan -')
  })

  test('takes the manifest after --offers, too', async () => {
    const { code, out } = await plan('--offers inventory.yaml w.yaml')
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('berth plan w.yaml --offers inventory.yaml --all')
    const alone = await plan('--offers inventory.yaml')
    expect(alone.code).toBe(EXIT.usage)
    expect(alone.err).toContain("missing required argument 'manifest'")
  })

  test('never writes over a file that Berth did not write', async () => {
    const { code, err, files: after } = await plan('w.yaml --offers inventory.yaml --save w.yaml')
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('FILE_IN_THE_WAY')
    expect(new TextDecoder().decode(after.get('w.yaml'))).toBe(MANIFEST)
    const twice = await plan('w.yaml --offers inventory.yaml --save p.json')
    const again = await berth(['plan', 'w.yaml', '--offers', 'inventory.yaml', '--save', 'p.json'], {
      files: Object.fromEntries(twice.files),
    })
    expect(again.code).toBe(EXIT.ok)
  })

  test('says so when it is given a folder or a snapshot for a manifest', async () => {
    const folder = await plan('here --offers inventory.yaml', { 'here/w.yaml': MANIFEST })
    expect(folder.err).toContain('here is a folder, not a file.')
    const { files: after } = await berth(words('offers import --offers inventory.yaml --to o.snapshot'), { files })
    const snapshot = await berth(words('plan o.snapshot --offers o.snapshot'), { files: Object.fromEntries(after) })
    expect(snapshot.err).toContain('o.snapshot is a snapshot of offers.')
    const taken = await berth(words('offers import --offers inventory.yaml --to w.yaml'), { files })
    expect(taken.err).toContain('FILE_IN_THE_WAY')
  })

  test('says that one of two replicas would have a place when a spread cannot be kept', async () => {
    const spread = `${MANIFEST}replicas: 2\nspread: provider\n`
    const { code, out } = await plan('s.yaml --offers inventory.yaml', { 's.yaml': spread })
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toContain('llama-70b: only 1 of 2 replicas would have a place, $9.40/h in all. Everything that fits')
  })

  test('the data has what scripts rely on', async () => {
    const { out } = await plan('w.yaml --offers inventory.yaml -o json')
    expect(JSON.parse(out)).toMatchObject({
      fits: true,
      usd_per_hour: 9.4,
      chosen: [
        {
          replica: 0,
          offer: {
            provider: 'northwind',
            region: 'north-1',
            instance: 'nw-h100-4',
            gpu: 'h100-sxm',
            gpu_count: 4,
            vram_gib: 80,
            usd_per_hour: 9.4,
          },
        },
      ],
      refused: { QUARANTINED: 1, NO_GPU: 1, VRAM_TOO_SMALL: 1 },
      relaxations: expect.any(Array),
    })
  })

  test('what does not fit ends with 2 and says what would help', async () => {
    const { code, out } = await plan('big.yaml --offers inventory.yaml', {
      'big.yaml': MANIFEST.replace('count: 4', 'count: 8'),
    })
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toMatch(/^llama-70b: no place\. /)
    expect(out).toContain('What would admit more:\n  count: 4  instead of 8  1 more, from $9.40/h')
    expect(out).toContain('Nearest misses, each for a single reason:')
  })

  test('blackwell says what RTX cards are called and what they would cost', async () => {
    const { code, out } = await plan('b.yaml --offers rtx.yaml', {
      'b.yaml': 'berth: v1\nkind: job\nname: b\nimage: i\ncommand: [x]\nresources: { gpu: { arch: [blackwell] } }\n',
      'rtx.yaml': `berth: v1
kind: inventory
provider: cloud
offers:
  - { region: r, instance: ada, gpu: { model: l40s, count: 1 }, cpu: 8, memory: 64Gi, host_arch: amd64, usd_per_hour: 0.5 }
  - { region: r, instance: rtx, gpu: { model: rtx-5090, count: 1 }, cpu: 8, memory: 64Gi, host_arch: amd64, usd_per_hour: 0.9 }
`,
    })
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toContain(`What would admit more:
  arch: [blackwell, blackwell-rtx]  instead of [blackwell]  1 more, from $0.90/h
  arch: [blackwell, ada]            instead of [blackwell]  1 more, from $0.50/h
  RTX PRO and RTX 50 cards are blackwell-rtx: code built for blackwell does not run on them.
`)
  })

  test('not enough left is not the same as nothing', async () => {
    const { code, out } = await plan('w.yaml --offers inventory.yaml', { 'w.yaml': `${MANIFEST}replicas: 4\n` })
    expect(code).toBe(EXIT.doesNotFit)
    expect(out).toMatch(/^llama-70b: only 3 of 4 replicas would have a place, \$28\.20\/h in all\. 1 offer fit/)
  })

  test('takes offers, labels and prices from the infrastructure file', async () => {
    const { out } = await plan('w.yaml --config c.yaml -o json')
    expect(JSON.parse(out)).toMatchObject({ usd_per_hour: 4.7, chosen: [{ offer: { residency: 'eu' } }] })
  })

  test('finds the infrastructure file in the current folder', async () => {
    const { out } = await plan('w.yaml -o json', { 'berth.config.yaml': CONFIG })
    expect(JSON.parse(out).usd_per_hour).toBe(4.7)
  })

  test('an unknown policy is refused, with a list of the known ones', async () => {
    const { code, err } = await plan('w.yaml --config c.yaml', { 'w.yaml': `${MANIFEST}policy: chep\n` })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('POLICY_UNKNOWN')
    expect(err).toContain('Did you mean cheap? Policies here: cheap, default.')
  })

  test('a wrong manifest is not planned, and every problem has its line', async () => {
    const { code, out, err } = await plan('w.yaml --offers inventory.yaml', { 'w.yaml': `${MANIFEST}chekpoint: 1\n` })
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain('w.yaml has 1 problem\n\n  KEY_UNKNOWN at w.yaml:7:1\n')
    expect(err).toContain('7 | chekpoint: 1\n          | ^^^^^^^^^\n')
  })

  test('a plan that cannot be saved is an error', async () => {
    const { code, err } = await berth(words('plan w.yaml --offers inventory.yaml --save a.json'), {
      files,
      readOnly: ['a.json'],
    })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('FILE_NOT_WRITTEN\n    The plan could not be written to a.json.')
  })

  test('a saved plan is the plan that was printed', async () => {
    const ran = await plan('w.yaml --offers inventory.yaml --save a.json -o json')
    expect(JSON.parse(textAt(ran, 'a.json')).report).toEqual(JSON.parse(ran.out))
  })
})
