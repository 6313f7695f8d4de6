import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { EXIT } from '../cli/cli.ts'
import { INVENTORY, MANIFEST } from '../cli/harness.suite.ts'

/** A folder of real files, and Berth as a process of its own in it. */
const FOLDER = mkdtempSync(join(tmpdir(), 'berth-'))
/** As it is built before any test that starts it. */
const MAIN = join(import.meta.dirname, '../../dist/berth.mjs')

writeFileSync(join(FOLDER, 'w.yaml'), MANIFEST)
writeFileSync(join(FOLDER, 'inventory.yaml'), INVENTORY)
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

function run(
  argv: readonly string[],
  more: { readonly input?: string; readonly env?: NodeJS.ProcessEnv } = {},
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', MAIN, ...argv],
    {
      cwd: FOLDER,
      encoding: 'utf8',
      input: more.input ?? '',
      env: { ...process.env, ...more.env },
    },
  )
  return { code: status, out: stdout, err: stderr }
}

describe('berth as a process', () => {
  test('plans, saves whole files and replays them', () => {
    const plan = run(['plan', 'w.yaml', '--offers', 'inventory.yaml', '--save', 'monday.json'])
    expect(plan.err).toBe('saved: monday.json, with its offers in a file next to it (berth replay monday.json)\n')
    expect(plan.code).toBe(EXIT.ok)
    expect(plan.out).toContain('llama-70b: 1 of 1 replica has a place, $9.40/h in all')
    expect(readdirSync(FOLDER).toSorted()).toEqual(['inventory.yaml', 'monday.json', 'monday.offers', 'w.yaml'])
    const replay = run(['replay', 'monday.json'])
    expect(replay.out).toBe('same plan: llama-70b, $9.40/h in all, from 4 offers\n')
    expect(replay.code).toBe(EXIT.ok)
  })

  test('reads standard input to its end, however slowly it comes', () => {
    const slow = `(head -c 200000 w.yaml; sleep 0.3; head -c 3000000 /dev/zero | tr '\\0' '#')`
    const command = `${slow} | "${process.execPath}" --disable-warning=ExperimentalWarning "${MAIN}" validate -`
    const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: FOLDER, encoding: 'utf8' })
    expect(stderr).toContain('too large')
    expect(status).toBe(EXIT.invalid)
  })

  test('is plain in a pipe, with and without NO_COLOR', () => {
    const piped = run(['plan', 'w.yaml', '--offers', 'inventory.yaml', '-o', 'yaml'])
    const plain = run(['plan', 'w.yaml', '--offers', 'inventory.yaml', '-o', 'yaml'], { env: { NO_COLOR: '1' } })
    expect(piped.out).toBe(plain.out)
    expect(piped.out).not.toContain('\u001b')
  })

  test('reads a manifest from standard input', () => {
    const { code, out } = run(['validate', '-'], { input: MANIFEST })
    expect(code).toBe(EXIT.ok)
    expect(out).toBe('stdin: ok (service, 1 replica, 4 × GPU ≥ 80Gi)\n')
  })

  test.each([
    ['does not fit', ['plan', '-', '--offers', 'inventory.yaml'], EXIT.doesNotFit],
    ['is invalid', ['validate', 'nowhere.yaml'], EXIT.invalid],
    ['cannot be written', ['offers', 'import', '--offers', 'inventory.yaml', '--to', 'no/such/folder'], EXIT.invalid],
    ['is a folder', ['validate', '.'], EXIT.invalid],
    ['makes no sense', ['plan', '--frobnicate'], EXIT.usage],
  ])('ends with its exit code when something %s', (_, argv, expected) => {
    const { code } = run(argv, { input: MANIFEST.replace('80Gi', '800Gi') })
    expect(code).toBe(expected)
  })

  test('reads what is packed, and what only has the name', () => {
    const fleet = 'berth: v1\nkind: fleet\nnodes: [{ name: c, cpu: 2, memory: 1Gi }]\n'
    writeFileSync(join(FOLDER, 'packed.yaml.gz'), gzipSync(fleet))
    writeFileSync(join(FOLDER, 'plain.yaml.gz'), fleet)
    for (const file of ['packed.yaml.gz', 'plain.yaml.gz']) {
      const { code, out } = run(['fleet', 'show', file, 'c'])
      expect(code).toBe(EXIT.ok)
      expect(out).toContain('c: no cards; 2 of 2 CPUs and 1Gi of 1Gi of memory free')
    }
    writeFileSync(join(FOLDER, 'torn.yaml.gz'), gzipSync(fleet).subarray(0, 20))
    // Damaged is not the same as missing.
    expect(run(['fleet', 'show', 'torn.yaml.gz']).err).toContain('torn.yaml.gz has 1 problem')
  })

  test('says how much processor time a simulation took', () => {
    writeFileSync(join(FOLDER, 'fleet.yaml'), 'berth: v1\nkind: fleet\nnodes: [{ name: c, cpu: 2, memory: 1Gi }]\n')
    const { out } = run(['simulate', 'trace', '-', '--fleet', 'fleet.yaml', '-o', 'json'], {
      input: 'name,arrival_s\na,0\n',
    })
    expect(JSON.parse(out)[0].cpu_seconds).toBeGreaterThan(0)
  })

  test('leaves nothing behind when it cannot write', () => {
    expect(readdirSync(FOLDER).filter((name) => name.startsWith('.'))).toEqual([])
  })
})
