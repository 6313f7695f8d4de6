import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { parseConfig } from '../core/policy/parse.ts'
import type { Config } from '../core/policy/policy.ts'
import { FILTER_NAMES } from '../core/requirement/filter/all-filters.ts'
import type { Placement } from '../core/life/placement.ts'
import { FRESH_STATUS } from '../core/life/status.ts'
import type { Status } from '../core/life/status.ts'
import type { Workload } from '../core/life/workload.ts'
import { parseManifest } from '../core/manifest/parse.ts'
import { UserError } from '../core/base/problem.ts'
import { SCORE_NAMES } from '../core/requirement/score/all-scores.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { nodeHashing } from '../server/hashing.ts'
import { memoryStore } from '../store/memory.ts'
import { openVault } from '../vault/vault.ts'
import type { ServiceDeps, Principal } from './deps.ts'

export const ADMIN: Principal = { name: 'ada', role: 'admin', projects: ['*'] }
export const NOW_MS = 1_700_000_000_000

const FOLDER = mkdtempSync(join(tmpdir(), 'berth-service-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))
let vaults = 0

export type TestDeps = ServiceDeps & {
  /** As the controller sees it. */
  readonly platform: () => { readonly config: Config | undefined }
}

/** The use cases over an empty strict store, with two kinds of providers. */
export function service({ config }: { readonly config?: string } = {}): TestDeps {
  const file = config === undefined ? undefined : configOf(config)
  const noise = () => {}
  let ids = 0
  return {
    store: memoryStore({ nowMs: () => NOW_MS, strict: true }),
    clock: { nowMs: () => NOW_MS, tickMs: () => 0, cpuMs: () => 0 },
    timers: { sleep: async () => {} },
    random: { next: () => 0, id: () => `id${++ids}` },
    log: { info: noise, warn: noise, error: noise },
    vault: openVault({ keyFile: join(FOLDER, `key-${++vaults}`) }),
    hashing: nodeHashing,
    parse: (text, name) => {
      const parsed = parseManifest(documentOf(text, name))
      if ('problems' in parsed) throw new UserError(parsed.problems)
      return parsed
    },
    read: documentOf,
    decide: () => Promise.reject(new Error('nobody decides here')),
    capacity: () => Promise.reject(new Error('nobody decides here')),
    providers: {
      views: () => [],
      unwalled: () => [],
      kinds: () => [
        { kind: 'local', about: 'This host.' },
        { kind: 'sim', about: 'A simulated cloud.' },
      ],
      problemsOf: (_, settings) => ('wrong' in settings ? ['wrong: is not known', 'right: is missing'] : []),
      test: () => undefined,
      logs: () => undefined,
    },
    config: () => file,
    platform: () => ({ config: file }),
    whyNot: () => undefined,
    info: () => ({ version: '0', owner: 'o', leader: true, term: 1, store: 'memory' }),
  }
}

function configOf(text: string): Config {
  const parsed = parseConfig(documentOf(`berth: v1\nkind: config\n${text}\n`, 'berth.config.yaml'), {
    scores: SCORE_NAMES,
    filters: FILTER_NAMES,
  })
  if ('problems' in parsed) throw new UserError(parsed.problems)
  return parsed.value
}

function documentOf(text: string, file: string) {
  const yaml = readYaml(text, file)
  if ('problems' in yaml) throw new UserError(yaml.problems)
  return yaml.document
}

/** What was refused, as `CODE: message`; empty: nothing was. */
export async function refusalOf(doing: Promise<unknown>): Promise<readonly string[]> {
  try {
    await doing
    return []
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(({ code, message }) => `${code}: ${message}`)
    throw error
  }
}

/** Puts a workload into the store as if it had been applied. */
export async function putWorkload(
  { store, parse }: ServiceDeps,
  { project = 'default', name, kind = 'job', more = '', want = 'running', end }: Put,
): Promise<void> {
  const text = `berth: v1\nkind: ${kind}\nname: ${name}\nimage: a\nresources: { cpu: 1 }\n${more}\n`
  const body: Workload = {
    uid: `uid-${name}`,
    project,
    name,
    generation: 1,
    text,
    manifest: (await parse(text, 'f')).manifest,
    want,
    scale: {},
    template: undefined,
    pinned: undefined,
    usdPerHourMax: undefined,
    createdMs: NOW_MS,
    changedMs: NOW_MS,
  }
  const status: Status = { ...FRESH_STATUS, uid: body.uid, generation: 1, end }
  await store.commit({
    writes: [
      { kind: 'workload', key: `${project}/${name}`, body },
      { kind: 'status', key: `${project}/${name}`, body: status },
    ],
  })
}

interface Put {
  readonly project?: string
  readonly name: string
  readonly kind?: 'job' | 'service'
  readonly more?: string
  readonly want?: Workload['want']
  readonly end?: Status['end']
}

/** Puts a slot at a provider; only what the use cases look at is in it. */
export async function putSlot(
  { store }: ServiceDeps,
  { key, provider, phase }: { readonly key: string; readonly provider: string; readonly phase: Placement['phase'] },
): Promise<void> {
  // The use cases read the phase, the place and the price, and nothing else of a placement.
  const body = { phase, order: { place: { provider } }, reserved: { gpus: 0, usdPerHour: 0 } } as unknown as Placement
  await store.commit({ writes: [{ kind: 'placement', key, body }] })
}

/** The trail: actor, action and subject of the audit, kind and subject of the events. */
export async function trailOf({ store }: ServiceDeps): Promise<readonly string[]> {
  const audit = await store.audit({ after: 0, limit: 1000 })
  const events = await store.events({ after: 0, limit: 1000 })
  return [
    ...audit.map(
      ({ actor, action, project, subject, facts }) =>
        `${actor} ${action} ${project} ${subject} ${JSON.stringify(facts)}`,
    ),
    ...events.map(({ kind, project, subject, facts }) => `${kind} ${project} ${subject} ${JSON.stringify(facts)}`),
  ]
}
