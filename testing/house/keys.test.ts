import { describe, expect, test } from 'vitest'
import { manifestJsonSchema } from '../../src/core/manifest/json-schema.ts'
import { WITHOUT_EFFECT } from '../../src/core/manifest/without-effect.ts'
import { configJsonSchema } from '../../src/core/policy/schema.ts'
import { FILTER_NAMES, REASONS } from '../../src/core/requirement/filter/all-filters.ts'
import { KEYED } from '../../src/core/requirement/filter/keyed.ts'
import { GPU } from '../../src/core/requirement/table.ts'
import { SCORE_NAMES } from '../../src/core/requirement/score/all-scores.ts'
import { filesUnder } from './files.ts'
import { keysIn, pretended, type KeyFacts } from './keys.ts'
import { readersOf } from './readers.ts'
import { readSource } from './source.ts'

// Nothing is pretended: a key that a file may have is read by shipped code, or its user is told that it has no effect.

/** Properties of one file, as the reader of properties names them. */
function inFile(file: string, properties: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(properties).map(([key, property]) => [key, `${file}#${property}`]))
}

/** Where the value of each key of a manifest is found once it is read: the last place from which something acts on it. */
const MANIFEST_HELD = {
  ...inFile('src/core/manifest/manifest.ts', {
    image: 'Manifest.image',
    secrets: 'Manifest.secrets',
    spread: 'Manifest.spread',
    nodes: 'Manifest.nodes',
    'topology.within': 'Manifest.topology',
    max_duration: 'Manifest.maxDurationSeconds',
    completions: 'Manifest.completions',
    policy: 'Manifest.policy',
    labels: 'Manifest.labels',
    spot: 'Manifest.spot',
    'replicas.min': 'Replicas.min',
    'replicas.max': 'Replicas.max',
    'replicas.target': 'Replicas.target',
    'roles.*.reserve': 'Role.reserve',
    'checkpoint.path': 'Checkpoint.path',
    'checkpoint.every': 'Checkpoint.everySeconds',
    'restart.max': 'Restart.max',
    'restart.on_unhealthy': 'Restart.unhealthySeconds',
    'routing.affinity': 'Routing.affinity',
    'routing.hedge': 'Routing.hedge',
    'migration.on': 'MigrationSettings.on',
    'migration.grace': 'MigrationSettings.graceSeconds',
    'migration.price_drop': 'MigrationSettings.priceDrop',
    'ports.name': 'Port.name',
    'ports.port': 'Port.port',
    'ports.health': 'Port.health',
    'ports.expose': 'Port.expose',
    'storage.mount': 'Volume.mount',
    'storage.from': 'Volume.from',
    'storage.mode': 'Volume.mode',
    'storage.size': 'Volume.sizeGib',
    'storage.secret': 'Volume.secret',
  }),
  ...inFile('src/core/life/slots.ts', {
    command: 'SlotWork.command',
    args: 'SlotWork.args',
    env: 'SlotWork.env',
  }),
  ...inFile('src/core/life/call/order.ts', {
    'resources.cpu': 'Order.cpu',
    'resources.memory': 'Order.memoryGib',
    'resources.disk': 'Order.diskGib',
    'resources.shm': 'Order.shmGib',
    framework: 'Order.framework',
    'restart.class': 'Order.restart',
  }),
}

/** Files that pass such a value on, print it, tell versions apart by it or draw it in a plan, where nothing else follows from it. */
const MANIFEST_SHOWN = {
  'replicas.max': ['src/cli/plan/validate.ts'],
  'roles.*.replicas.max': ['src/cli/plan/validate.ts'],
  'roles.*.reserve': ['src/core/place/derive.ts'],
  'restart.class': ['src/controller/provider-offers.ts', 'src/core/life/bind/bind.ts', 'src/core/life/in-place.ts'],
}

const CONFIG_HELD = {
  ...inFile('src/core/policy/policy.ts', {
    default_policy: 'Config.defaultPolicy',
    'providers.*.offers': 'ProviderSettings.offers',
    'providers.*.residency': 'ProviderSettings.residency',
    'providers.*.regions': 'ProviderSettings.regions',
    'providers.*.trust': 'ProviderSettings.trust',
    'providers.*.price_factor': 'ProviderSettings.priceFactor',
    'providers.*.prices': 'ProviderSettings.prices',
    'providers.*.reliability': 'ProviderSettings.reliability',
    'providers.*.start': 'ProviderSettings.startSeconds',
    'providers.*.egress_usd_per_gib': 'ProviderSettings.egressUsdPerGib',
    'providers.*.enabled': 'ProviderSettings.enabled',
    'providers.*.kind': 'ProviderSettings.kind',
    'providers.*.settings': 'ProviderSettings.settings',
    'providers.*.credential': 'ProviderSettings.credential',
    'policies.*.objective': 'Policy.weights',
    'policies.*.weights': 'Policy.weights',
    'policies.*.spot': 'Policy.spot',
    'policies.*.max_usd_per_hour': 'Policy.usdPerHourMax',
    'policies.*.residency': 'Policy.residency',
    'policies.*.providers.allow': 'Policy.providersAllowed',
    'policies.*.providers.deny': 'Policy.providersDenied',
    'policies.*.trust': 'Policy.trust',
    'policies.*.fallback': 'Policy.fallback',
    'policies.*.unknown.accept': 'Policy.unknownAccepted',
  }),
  ...inFile('src/core/policy/project-settings.ts', {
    'projects.*.policies': 'ProjectRules.policies',
    'projects.*.providers': 'ProjectRules.providers',
    'projects.*.processes': 'ProjectRules.processes',
  }),
  ...inFile('src/core/life/rows.ts', {
    'projects.*.max_gpus': 'Project.gpusMax',
    'projects.*.max_usd_per_hour': 'Project.usdPerHourMax',
    'projects.*.max_workloads': 'Project.workloadsMax',
  }),
}

/** What describes a file or a row and what fills in its defaults acts on nothing. */
const READS_THE_FILE = /^src\/core\/(?:manifest\/|life\/row\/|policy\/(?:schema|parse|policy-settings)\.ts)/

/** Keys that are entries of the table of requirements and that nothing else acts on. */
const REQUIRED = [...GPU.keys.map(({ key }) => `resources.gpu.${key}`), 'resources.host_arch']

const IDLE = WITHOUT_EFFECT.flatMap(({ keys }) => keys)
const READERS = readersOf([...Object.values(MANIFEST_HELD), ...Object.values(CONFIG_HELD)])

function readers(property: string): readonly string[] {
  return (READERS.get(property) ?? []).filter((path) => !READS_THE_FILE.test(path))
}

describe('the keys of a manifest', () => {
  // These say what the file is and what it is called: without them there is no workload.
  const all = keysIn(manifestJsonSchema()).filter((key) => !['berth', 'kind', 'name'].includes(key))
  // A requirement under `resources` has its filter in the same entry; a test below holds that it refuses something.
  const keys = all.filter((key) => !REQUIRED.some((path) => key.endsWith(path) || key.includes(`${path}.`)))
  const idle = IDLE.filter(({ value, unsaved, alone, job }) => (value ?? unsaved ?? alone ?? job) === undefined).map(
    ({ path }) => path,
  )
  const facts: KeyFacts = { keys, held: MANIFEST_HELD, readers, idle, shown: MANIFEST_SHOWN }

  test('are read by shipped code, or are in the table of those without effect', () => {
    expect(pretended(facts)).toEqual([])
  })

  test('in the table are keys that there are', () => {
    expect(idle.filter((path) => !keys.some((key) => key === path || key.startsWith(`${path}.`)))).toEqual([])
  })

  test('a key that nothing reads is found when the table does not have it', () => {
    const without = { ...facts, idle: idle.filter((path) => path !== 'migration.price_drop') }
    expect(pretended(without)).toEqual(['migration.price_drop: nothing reads it, and the table does not say so'])
  })

  test('a key of the table is found when something begins to read it', () => {
    const read = { ...facts, readers: (property: string) => [...readers(property), 'src/new.ts'] }
    expect(pretended(read)).toContain('replicas.max: is in the table of keys without effect, and src/new.ts reads it')
  })

  test('a key that is new is found until it is said what holds it', () => {
    expect(pretended({ ...facts, keys: ['resources.color'] })).toEqual([
      'resources.color: say in `held` which property holds it',
    ])
  })
})

describe('a requirement of the manifest', () => {
  test.each(KEYED)('$name refuses something, and says why in words of its own', ({ reasons }) => {
    expect(Object.keys(reasons).length).toBeGreaterThan(0)
    for (const code of Object.keys(reasons)) expect(REASONS[code]).toBe(reasons[code])
  })

  test('is a key of the table and of the schema alike', () => {
    const keys = keysIn(manifestJsonSchema())
    expect(REQUIRED.filter((path) => !keys.some((key) => key === path || key.startsWith(`${path}.`)))).toEqual([])
    expect(FILTER_NAMES).toEqual(expect.arrayContaining(GPU.keys.map(({ name }) => name)))
  })
})

describe('the causes that may move work', () => {
  const idle = IDLE.flatMap(({ path, value, alone }) =>
    path === 'migration.on' && value !== undefined && alone === undefined ? [value] : [],
  )
  // What decides about work that runs.
  const deciding = /^src\/(?:controller|core\/(?:life(?!\/row)|place))\//
  const named = new Set(
    filesUnder('src', '.ts')
      .filter((path) => deciding.test(path))
      .map(readSource)
      .filter(({ isShipped }) => isShipped)
      .flatMap((source) => source.nodes('Literal').map(({ value }) => value)),
  )

  test.each(['outage', 'drain', 'price_drop'])(
    '%s is named by shipped code, or is in the table, and not both',
    (cause) => {
      expect(named.has(cause)).toBe(!idle.includes(cause))
    },
  )
})

test('the keys of an infrastructure file are read by shipped code; what is reserved is refused', () => {
  const names = { scores: [...SCORE_NAMES], filters: [...FILTER_NAMES] }
  const keys = keysIn(configJsonSchema(names)).filter((key) => key !== 'berth' && key !== 'kind')
  expect(pretended({ keys, held: CONFIG_HELD, readers, idle: [], shown: {} })).toEqual([])
})
