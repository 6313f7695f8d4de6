import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'
import { must } from '../../src/core/base/assert.ts'
import { ROOT } from '../house/files.ts'
import { findPostgres, startPostgres } from '../../src/store/postgres/postgres.suite.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'

// The recipes of docs/guides/operate.md, run as they stand there against the real control plane with work that
// runs, by npm run test:all.

const folder = mkdtempSync(join(tmpdir(), 'berth-operate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CONFIG = `berth: v1
kind: config
default_policy: at-home
providers:
  here: { kind: local, settings: { runtime: process, cpu: 16, memory: 64Gi }, trust: internal }
policies:
  at-home:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota] }
`

const SECRET = 'what-only-the-workload-sees'
const SECTIONS = guideCommands()

/** The guide backs up with the program of that name. In CI nothing may be skipped. */
function hasSqlite(): boolean {
  return spawnSync('sqlite3', ['--version']).error === undefined || process.env['CI'] === 'true'
}

describe.each(['SQLite', 'PostgreSQL'] as const)('the operator’s guide, on %s', (kind) => {
  const isMissing = kind === 'PostgreSQL' ? findPostgres() === undefined : !hasSqlite()
  const isLeftOut = isMissing || !IS_WHOLE
  if (isMissing) test.skip(`needs ${kind === 'SQLite' ? 'sqlite3' : 'PostgreSQL'}: install it to run these tests`)
  test.skipIf(isLeftOut)('brings back what was backed up, starts nothing twice and opens every secret', async () => {
    await onPlant(kind, async (plant) => {
      await plant.start()
      await plant.apply('kept', 2)
      plant.follow('Back up')
      const before = plant.starts('kept')
      await plant.apply('late', 1)
      await plant.plane.kill()
      rmSync(join(plant.dir, 'vault.key'))
      rmSync(join(plant.dir, 'admin.token'))

      plant.follow('Restore')
      await plant.start()
      await plant.stands('kept', 2)
      await plant.orphansEnded(1)
      expect(plant.starts('kept')).toEqual(before)
      await expect(plant.client.workload({ project: 'default', name: 'late' })).rejects.toThrow('late')
      await plant.apply('new', 1)
      expect(plant.starts('new')).toEqual([`new 0 ${SECRET}`])
      expect(plant.starts('kept')).toEqual(before)
      expect(plant.said('cannot be decrypted')).toEqual([])
    })
  })

  test.skipIf(isLeftOut)(
    'goes through an upgrade without touching what runs, and back by the backup alone',
    async () => {
      await onPlant(kind, async (plant) => {
        await plant.start()
        await plant.apply('kept', 1)
        plant.follow('Back up')
        const before = plant.starts('kept')
        plant.follow('Upgrade')
        await until('it has ended', { withinMs: 20_000 }, async () =>
          plant.plane.isAlive ? 'it still runs' : { found: true },
        )
        await plant.start()
        await plant.stands('kept', 1)

        await plant.plane.stop()
        plant.shell(kind === 'SQLite' ? NEWER_SQLITE : NEWER_POSTGRES)
        expect(await plant.plane.start()).toBe(false)
        expect(readFileSync(join(plant.dir, 'up.log'), 'utf8')).toContain('STORE_NEWER')
        plant.follow('Restore')
        await plant.start()
        await plant.stands('kept', 1)
        expect(plant.starts('kept')).toEqual(before)
      })
    },
  )

  test.skipIf(isLeftOut)('rotates the key, and the backup of the new key file opens every secret', async () => {
    await onPlant(kind, async (plant) => {
      await plant.start()
      const before = plant.keys()
      plant.follow('Rotate the key')
      expect(plant.keys()).toEqual([expect.any(String), ...before])
      await plant.plane.kill()
      rmSync(join(plant.dir, 'vault.key'))
      plant.shell('cp -p "$KEYS/vault.key" "$DIR/"')
      await plant.start()
      await plant.apply('new', 1)
      expect(plant.starts('new')).toEqual([`new 0 ${SECRET}`])
      expect(plant.said('cannot be decrypted')).toEqual([])
    })
  })

  test.skipIf(isLeftOut)('makes a new administrator where no token is left', async () => {
    await onPlant(kind, async (plant) => {
      await plant.start()
      const old = plant.plane.token
      await plant.plane.stop()
      plant.follow('Tokens')
      await plant.start()
      expect(plant.plane.token).not.toBe(old)
      expect((await plant.client.tokens()).map(({ name }) => name)).toEqual(['admin'])
    })
  })
})

test('a control plane that lost its key says at once which secrets it cannot open', async () => {
  await onPlant('SQLite', async (plant) => {
    await plant.start()
    await plant.plane.stop()
    rmSync(join(plant.dir, 'vault.key'))
    await plant.start()
    expect(plant.said('cannot be decrypted')).toMatchObject([
      { secrets: 'default/PASSWORD', key_file: join(plant.dir, 'vault.key') },
    ])
  })
})

const NEWER_SQLITE = 'sqlite3 "$DIR/berth.db" "PRAGMA user_version = 99"'
const NEWER_POSTGRES = 'psql "$DATABASE" --quiet --command="UPDATE berth.berth_meta SET schema_version = 99"'

/** Commands of the guide by heading: blocks that are said to be for one store, and those for both. */
function guideCommands(): ReadonlyMap<string, readonly { readonly for: string | undefined; readonly text: string }[]> {
  const guide = readFileSync(join(ROOT, 'docs/guides/operate.md'), 'utf8')
  const sections = guide.split(/^## /m).slice(1)
  return new Map(
    sections.map((section) => {
      const blocks = [...section.matchAll(/(?<before>[^\n]*(?:\n[^\n]+)?)\n```sh\n(?<text>.*?)```/gs)]
      const commands = blocks.map(({ groups }) => ({
        for: ['SQLite', 'PostgreSQL'].findLast((store) => groups?.['before']?.includes(store)),
        text: groups?.['text'] ?? '',
      }))
      return [section.slice(0, section.indexOf('\n')), commands]
    }),
  )
}

type StoreKind = 'SQLite' | 'PostgreSQL'

/** Gives the work a control plane of its own, and leaves nothing of it behind. */
async function onPlant(kind: StoreKind, work: (plant: Plant) => Promise<void>): Promise<void> {
  const postgres = kind === 'PostgreSQL' ? await startPostgres() : undefined
  const plant = new Plant(kind, postgres?.url)
  try {
    await work(plant)
  } finally {
    await plant.end()
    await postgres?.stop()
  }
}

/** A control plane with its folders, and somebody who follows the guide. */
class Plant {
  readonly plane: RealPlane
  readonly dir: string
  readonly #kind: StoreKind
  readonly #database: string | undefined
  readonly #folder = mkdtempSync(join(folder, 'plant-'))

  constructor(kind: StoreKind, database: string | undefined) {
    this.#kind = kind
    this.#database = database
    this.dir = join(this.#folder, 'data')
    for (const name of ['backup', 'keys']) mkdirSync(join(this.#folder, name))
    const config = join(this.#folder, 'berth.config.yaml')
    writeFileSync(config, CONFIG)
    this.plane = new RealPlane({ folder: this.dir, config, ...(database !== undefined && { database }) })
  }

  get client() {
    return this.plane.client({ tries: 'several', timeoutMs: 10_000 })
  }

  async start(): Promise<void> {
    expect(await this.plane.start()).toBe(true)
    const secrets = await this.client.secrets({ project: 'default' })
    if (secrets.length === 0) await this.client.setSecret({ project: 'default', name: 'PASSWORD', value: SECRET })
  }

  /** Runs what the guide says in this section, for this store. */
  follow(section: string): void {
    const commands = must(SECTIONS.get(section), `the guide has a section ${section}`)
    const ours = commands.filter((command) => command.for === undefined || command.for === this.#kind)
    expect(ours.length, `commands of ${section}`).toBeGreaterThan(0)
    for (const { text } of ours) this.shell(text)
  }

  shell(text: string): void {
    const alive = () => ({ PID: String(this.plane.pid), BERTH_URL: this.plane.url, BERTH_TOKEN: this.plane.token })
    const pid = this.plane.isAlive ? alive() : {}
    const folders = { DIR: this.dir, BACKUP: join(this.#folder, 'backup'), KEYS: join(this.#folder, 'keys') }
    // Where psql and pg_dump lie beside the server.
    const PATH = [join(ROOT, 'bin'), process.env['PATH'], findPostgres()]
      .filter((path) => path !== undefined)
      .join(delimiter)
    const env = { ...process.env, PATH, ...folders, ...pid, ...(this.#database && { DATABASE: this.#database }) }
    execFileSync('bash', ['-eu', '-c', text], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  }

  /** The lines of the key file, the key that encrypts now first. */
  keys(): readonly string[] {
    return readFileSync(join(this.dir, 'vault.key'), 'utf8').trim().split('\n')
  }

  /** Every start leaves a line: a second one of the same slot would be seen. */
  async apply(name: string, replicas: number): Promise<void> {
    const script = `echo "$BERTH_WORKLOAD $BERTH_SLOT $PASSWORD" >> ${join(this.#folder, 'starts')}; exec sleep 200`
    const manifest = {
      berth: 'v1',
      kind: 'service',
      name,
      image: name,
      command: ['sh', '-c'],
      args: [script],
      replicas,
    }
    const text = JSON.stringify({ ...manifest, secrets: ['PASSWORD'], resources: { cpu: 1, memory: '1Gi' } })
    await this.client.apply({ project: 'default', text, file: `${name}.yaml`, idempotencyKey: name })
    await this.stands(name, replicas)
  }

  async stands(name: string, replicas: number): Promise<void> {
    await until(`${name} stands`, { withinMs: 30_000 }, async () => {
      const view = await this.client.workload({ project: 'default', name })
      const isDone = view.ready === replicas && this.starts(name).length >= replicas
      return isDone ? { found: true } : `${view.state}, ${view.ready} ready`
    })
  }

  starts(name: string): readonly string[] {
    const file = join(this.#folder, 'starts')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
    return lines.filter((line) => line.startsWith(`${name} `)).toSorted()
  }

  async orphansEnded(count: number): Promise<void> {
    await until(`${count} orphans are ended`, { withinMs: 120_000 }, async () => {
      const told = this.said('stopping an orphan')
      return new Set(told.map(({ attempt }) => attempt)).size === count ? { found: true } : `${told.length} are`
    })
  }

  said(part: string): readonly Readonly<Record<string, unknown>>[] {
    return this.plane.lines().filter(({ message }) => String(message).includes(part))
  }

  /** Everything that runs is asked to end, and the control plane with it. */
  async end(): Promise<void> {
    if (this.plane.isAlive) {
      const { items } = await this.client.workloads({})
      for (const { name } of items) await this.client.remove({ project: 'default', name })
      await until('nothing is left', { withinMs: 40_000 }, async () => {
        const left = (await this.client.workloads({})).items.length
        return left === 0 ? { found: true } : `${left} are left`
      })
    }
    await this.plane.kill()
  }
}
