import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { TEMPLATE, furnishedPlane } from './planes.suite.ts'
import { EXIT } from './cli.ts'
import { berth, CONFIG, INVENTORY, MANIFEST, words, type Ran, type World } from './harness.suite.ts'
import * as commands from './registry.ts'
import { sized } from '../core/base/laws.suite.ts'
import { recordedService } from '../controller/step/recording.suite.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A command line for every command, with what it needs. */
const LINES: Readonly<Record<keyof typeof commands, readonly string[]>> = {
  apply: [
    'apply w.yaml',
    'apply small.yaml --yes',
    'apply small.yaml --yes --detach',
    'apply small.yaml --dry-run',
    'apply big.yaml --yes',
    'apply --plan a.json --yes',
  ],
  audit: ['audit', 'audit --action apply --tail 1 -o json'],
  completion: ['completion bash'],
  context: ['context ls', 'context show', 'context use here'],
  cost: ['cost', 'cost --since 24h --by provider -o json'],
  debug: ['debug replay leader.jsonl', 'debug replay leader.jsonl --workload default/llama-70b'],
  demo: ['demo'],
  diff: ['diff a.json a.json'],
  drain: ['drain northwind', 'drain northwind --cordon', 'drain northwind --undo'],
  events: ['events', 'events llama-70b --since 1h', 'events -A --all'],
  exec: ['exec llama-70b nvidia-smi'],
  explain: ['explain', 'explain NO_GPU', 'explain llama-70b'],
  fleet: ['fleet show examples/fleets/harbor.yaml', 'fleet show examples/fleets/harbor.yaml dgx-01'],
  gateway: [], // It answers nothing: it stays.
  get: ['get llama-70b', 'get llama-70b --manifest'],
  history: ['history llama-70b', 'history llama-70b --show 1'],
  launch: ['launch chat --yes', 'launch chat@1 --yes --set gpus=1 --name blue'],
  login: ['login http://127.0.0.1:7700 --token-file value.txt --name lab'],
  logs: ['logs llama-70b', 'logs llama-70b --slot 0 --tail 1'],
  offers: [
    'offers list --offers inventory.yaml',
    'offers search --offers inventory.yaml --min-vram 80Gi',
    'offers search --offers inventory.yaml --min-vram 800Gi',
    'offers search --offers inventory.yaml --need w.yaml',
    'offers history',
    'offers check --offers inventory.yaml',
    'offers check --offers inventory.yaml --rows',
    'offers check --nodes nodes.yaml',
    'offers import --offers inventory.yaml --to a.snapshot',
  ],
  plan: [
    'plan w.yaml --offers inventory.yaml',
    'plan w.yaml --config c.yaml',
    'plan w.yaml --offers inventory.yaml --all',
  ],
  policy: ['policy ls', 'policy show default', 'policy set cheap --set objective=cheapest'],
  port: [], // It runs until Ctrl-C: its own test has that.
  project: ['project ls', 'project set research --gpus 16 --usd-per-hour 12.50'],
  provider: [
    'provider ls',
    'provider add toy --kind sim --set seed=1',
    'provider test northwind',
    'provider classify runpod --operation create --status 503 --body value.txt',
  ],
  ps: ['ps', 'ps --all-projects', 'ps --project empty'],
  replay: ['replay a.json'],
  rerun: [], // Only what has ended is run again: its own test has that.
  restart: [], // Each restart is another generation: its own test has that.
  rollback: [], // Only what was changed has something to go back to: its own test has that.
  rm: ['rm llama-70b --yes'],
  scale: ['scale llama-70b 3'],
  schema: ['schema', 'schema config', 'schema inventory'],
  secret: ['secret ls', 'secret set HF_TOKEN --from-file value.txt', 'secret rm HF_TOKEN --yes'],
  simulate: [
    'simulate trace examples/traces/racks-days.csv --fleet examples/fleets/racks.yaml',
    'simulate trace examples/traces/racks-days.csv --fleet examples/fleets/racks.yaml --policy fgd,best-fit --all',
  ],
  stop: ['stop llama-70b'],
  sync: [], // It needs a connection in both directions: its own test has that.
  template: [
    'template ls',
    'template push chat template.yaml',
    'template show chat@1',
    'template diff chat',
    'template diff chat@1 template.yaml',
    'template rm chat --yes',
  ],
  token: ['token ls', 'token create grace --role reader', 'token rm ci --yes'],
  up: [], // It answers nothing: it stays.
  wait: ['wait llama-70b'],
  whoami: ['whoami'],
  validate: ['validate w.yaml c.yaml inventory.yaml', 'validate nowhere.yaml'],
}

const ALL = Object.values(LINES).flat()
const QUICK = ALL.filter((line) => !line.startsWith('simulate'))
/** Data becomes YAML and words get colours in one place, whatever the command: the small run asks the first line of each. */
const CLOSELY = new Set(sized({ quick: Object.values(LINES).flatMap(([line = '']) => line), whole: ALL }))
const TWICE = sized({ quick: ALL.filter((line) => line.startsWith('plan')), whole: ALL })

/** Commands that only hold others. */
const FAMILIES = new Set(['context', 'offers', 'policy', 'project', 'provider', 'secret', 'template', 'token'])

/** A world in which each of them works: a plan was saved, and the examples lie where they belong. */
async function furnished(): Promise<World> {
  const files = {
    'w.yaml': MANIFEST,
    'small.yaml': MANIFEST.replace('name: llama-70b', 'name: small').replace('count: 4', 'count: 1'),
    'big.yaml': MANIFEST.replace('name: llama-70b', 'name: big').replace('count: 4', 'count: 64'),
    'c.yaml': CONFIG,
    'inventory.yaml': INVENTORY,
    'nodes.yaml': 'kind: Node\nmetadata: { name: n }\nstatus: { capacity: { nvidia.com/gpu: 1 } }\n',
    'template.yaml': TEMPLATE,
    'value.txt': 'canary',
    'leader.jsonl': `${(await recordedService()).join('\n')}\n`,
    ...examples(),
  }
  const saved = await berth(words('plan w.yaml --offers inventory.yaml --save a.json'), { files })
  const env = { HOME: '/home/ada', BERTH_URL: 'http://127.0.0.1:7700', BERTH_TOKEN: 'for-tests' }
  return { files: Object.fromEntries(saved.files), env }
}

const WORLD = furnished()
const READ = furnishedPlane()
const CHANGES = /^(?:apply|drain|exec|launch|rm|scale|stop|wait)|^\w+ (?:add|create|push|rm|set)\b/

/** What only reads shares a control plane; what changes something has one of its own. */
async function worldOf(line: string): Promise<World> {
  return { ...(await WORLD), control: CHANGES.test(line) ? furnishedPlane : () => READ }
}

const texts = new Map<string, Promise<Ran>>()

/** What a line prints where there is no terminal: run once, looked at by several tests. */
function ran(line: string): Promise<Ran> {
  const known = texts.get(line) ?? worldOf(line).then((world) => berth(words(line), world))
  texts.set(line, known)
  return known
}

/** Work goes on between two calls. */
function timeless(text: string): string {
  return text.replaceAll(/\d+ s\b/g, 'N s')
}

function examples(): Readonly<Record<string, string>> {
  const folder = join(ROOT, 'examples')
  if (!existsSync(folder)) return {}
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /\.\w+$/.test(name))
  return Object.fromEntries(names.map((name) => [`examples/${name}`, readFileSync(join(folder, name), 'utf8')]))
}

describe('every command', () => {
  test.each(ALL)('berth %s gives data that can be read, as JSON and as YAML', async (line) => {
    const world = await worldOf(line)
    const text = await ran(line)
    const json = await berth([...words(line), '-o', 'json'], world)
    expect([EXIT.ok, EXIT.differs, EXIT.doesNotFit, EXIT.invalid, EXIT.notDone]).toContain(text.code)
    expect(json.code).toBe(text.code)
    expect(json.err).toBe('')
    expect(JSON.parse(said(json))).toBeDefined()
    if (!CLOSELY.has(line)) return
    const yaml = await berth([...words(line), '-o', 'yaml'], world)
    expect(parse(said(yaml), { maxAliasCount: 0 })).toEqual(JSON.parse(said(json)))
  })

  test.each(ALL)('berth %s prints plain text, with no control characters and no space at line ends', async (line) => {
    const { out, err } = await ran(line)
    const allowed = line.startsWith('completion') ? '' : out
    // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
    expect(allowed + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]|[ ]\n/)
    expect((out + err).endsWith('\n')).toBe(true)
    expect((out + err).endsWith('\n\n')).toBe(false)
    expect(out + err).not.toMatch(/\bundefined\b|\bNaN\b|\[object/)
  })

  test.each(QUICK)('berth %s keeps to 80 columns on a terminal, with every word of it, in colour too', async (line) => {
    const world = await worldOf(line)
    const fitted = await berth(words(line), { ...world, columns: 80 })
    const isFile = /^(completion|schema|get .*--manifest|template (show|diff))/.test(line)
    const wide = fitted.out
      .split('\n')
      .filter((text) => text.length > 80 && !/^(Next:)? +berth |[\u2500-\u259f]/.test(text))
    if (!isFile) expect(wide).toEqual([])
    const isLive = /^(apply|launch|rm)/.test(line)
    if (!isLive && !fitted.out.includes('…')) expect(wordsIn(said(fitted))).toEqual(wordsIn(said(await ran(line))))
    if (!CLOSELY.has(line)) return
    const coloured = await berth(words(line), { ...world, columns: 80, color: true })
    // oxlint-disable-next-line no-control-regex -- colour is what it looks for
    const plain = said(coloured).replaceAll(/\u001b\[\d+m/g, '')
    expect(timeless(plain)).toBe(timeless(said(fitted)))
  })

  test.each(TWICE)('berth %s says the same twice', async (line) => {
    const world = await worldOf(line)
    expect(said(await berth(words(line), world))).toBe(said(await berth(words(line), world)))
  })

  test.each(Object.keys(LINES))('berth %s --help shows how it is used, with examples', async (name) => {
    const { code, out, err } = await berth([name, '--help'])
    expect(code).toBe(EXIT.ok)
    expect(err).toBe('')
    expect(out).toMatch(new RegExp(`^Usage: berth ${name}`))
    if (!FAMILIES.has(name)) expect(out).toMatch(/Examples:\n {2}\S/)
  })

  test.each(Object.keys(LINES))('berth %s refuses an unknown flag with a way to its help', async (name) => {
    const { code, out, err } = await berth([name, '--frobnicate'])
    expect(code).toBe(EXIT.usage)
    expect(out).toBe('')
    expect(err).toContain("error: unknown option '--frobnicate'")
    expect(err).toContain('(add --help for usage and examples)')
  })
})

/** What was printed; no two tokens are the same. */
function said({ out }: Pick<Ran, 'out'>): string {
  return out.replaceAll(/(?<=berth\.grace\.)[\w-]{43}/g, '...')
}

/** Every word that was printed, whatever line it stands in. */
function wordsIn(text: string): readonly string[] {
  return text.split(/\s+/).sort()
}

describe('berth', () => {
  test('without arguments prints help', async () => {
    const { code, out, err } = await berth([])
    expect(code).toBe(EXIT.usage)
    expect(out + err).toContain('Usage: berth [options] [command]')
    expect(out + err).toContain('Exit codes: 0 fits or done')
  })

  test('--help lists every command and ends with 0', async () => {
    const { code, out } = await berth(['--help'])
    expect(code).toBe(EXIT.ok)
    for (const name of Object.keys(commands)) expect(out).toContain(`\n  ${name}`)
  })

  test('--version is the version of the package', async () => {
    const { code, out } = await berth(['--version'])
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`${JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version}\n`)
  })

  test('an unknown command gets a suggestion and ends with 64', async () => {
    const { code, err } = await berth(['paln'])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain("unknown command 'paln'\n(Did you mean plan?)")
  })

  test('a missing argument ends with 64', async () => {
    const { code, err } = await berth(['plan'])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain("missing required argument 'manifest'")
  })

  test('another way to answer is refused with those there are', async () => {
    const { code, err } = await berth(['explain', '-o', 'xml'])
    expect(code).toBe(EXIT.usage)
    expect(err).toContain('Allowed choices are text, json, yaml.')
  })

  test.each([
    ['plan nowhere.yaml --offers inventory.yaml -o json', EXIT.invalid, 'FILE_MISSING'],
    ['plan bad.yaml --offers inventory.yaml --output=json', EXIT.invalid, 'KEY_UNKNOWN'],
    ['get llama-70 --output json', EXIT.notFound, 'NOT_FOUND'],
    ['apply w.yaml -ojson', EXIT.unconfirmed, 'CONFIRMATION_MISSING'],
    ['plan -o json', EXIT.usage, 'COMMAND_LINE'],
    ['plan w.yaml --offrs x -o json', EXIT.usage, 'COMMAND_LINE'],
  ])('berth %s ends with %i and says on standard error, as data, %s', async (line, exit, expected) => {
    const files = {
      'w.yaml': MANIFEST.replace('llama-70b', 'new'),
      'bad.yaml': MANIFEST.replace('image:', 'imago:'),
      'inventory.yaml': INVENTORY,
    }
    const { code, out, err } = await berth(words(line), { files, control: furnishedPlane })
    expect([code, out]).toEqual([exit, ''])
    const { error } = JSON.parse(err)
    expect(error.exit_code).toBe(exit)
    expect(error.problems.map((problem: { code: string }) => problem.code)).toContain(expected)
    expect(error.problems[0].message).not.toMatch(/^error:/)
  })

  test.each([
    ['plan nowhere.yaml --offers inventory.yaml', 'FILE_MISSING'],
    ['plan w.yaml --offers nowhere', 'OFFERS_UNREADABLE'],
    ['plan w.yaml --offers w.yaml', 'KEY_'],
    ['plan w.yaml --offers empty.yaml', 'YAML_EMPTY'],
    ['plan w.yaml --offers inventory.yaml --config nowhere.yaml', 'FILE_MISSING'],
    ['plan w.yaml --offers inventory.yaml --config empty.yaml', 'YAML_EMPTY'],
    ['plan empty.yaml --offers inventory.yaml', 'YAML_EMPTY'],
    ['plan w.yaml', 'OFFERS_MISSING'],
    ['validate empty.yaml', 'YAML_EMPTY'],
    ['replay empty.yaml', 'PLAN_UNREADABLE'],
    ['diff empty.yaml w.yaml', 'PLAN_UNREADABLE'],
    ['debug replay empty.yaml', 'RECORDING_UNREADABLE'],
    ['debug replay nowhere.jsonl', 'FILE_MISSING'],
    ['offers list --offers empty.yaml', 'YAML_EMPTY'],
    ['offers import --offers nowhere --to a', 'OFFERS_UNREADABLE'],
  ])('berth %s ends with 3 and %s, on standard error alone', async (line, expected) => {
    const world = await worldOf(line)
    const { code, out, err } = await berth(words(line), { files: { ...world.files, 'empty.yaml': '' } })
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain(expected)
    expect(err).toMatch(/More about a code: {2}berth explain [A-Z_]+\n$/)
  })

  test('a bug says that it is one and ends with 70', async () => {
    const source = {
      name: 'broken',
      read: () => {
        throw new Error('kaput')
      },
    }
    const { code, err } = await berth(words('offers list --offers x'), { sources: [source] })
    expect(code).toBe(EXIT.bug)
    expect(err).toMatch(/^bug in berth, please report:\nError: kaput/)
  })
})
