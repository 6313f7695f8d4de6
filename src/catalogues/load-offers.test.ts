import { describe, expect, test } from 'vitest'
import { parseConfig } from '../core/policy/parse.ts'
import type { Config } from '../core/policy/policy.ts'
import { FILTER_NAMES } from '../core/requirement/filter/all-filters.ts'
import { listingAt, rowCount, type Snapshot } from '../core/offer/snapshot.ts'
import { UserError } from '../core/base/problem.ts'
import { SCORE_NAMES } from '../core/requirement/score/all-scores.ts'
import { encodeSnapshot } from '../formats/snapshot-file.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import { OFFER_SOURCES } from './sources.ts'
import type { Files } from '../ports/files.ts'
import { loadOffers, loadRows, type Loading } from './load-offers.ts'

const FLEET = `berth: v1
kind: fleet
nodes:
  - { name: n-1, gpu: { model: l40s, count: 2 }, cpu: 16, memory: 64Gi }
running:
  - { name: a, node: n-1, cpu: 1, memory: 1Gi, cards: [0] }
`
const CLOUD = `berth: v1
kind: inventory
provider: cloud
offers: [{ region: north, instance: m, cpu: 4, memory: 8Gi, usd_per_hour: 1 }]
`
const NODES = 'sn,cpu_milli,memory_mib,gpu,model\nx,1000,1024,1,G2\n'

const TEXTS: Readonly<Record<string, string>> = {
  'hamburg.yaml': FLEET,
  'old/hamburg.yaml': FLEET,
  'cloud.yaml': CLOUD,
  'nodes.csv': NODES,
}

function loading(change: Partial<Loading> = {}, more: Readonly<Record<string, Uint8Array>> = {}): Loading {
  const files: Files = {
    read: (path) => more[path] ?? (TEXTS[path] === undefined ? undefined : new TextEncoder().encode(TEXTS[path])),
    list: () => undefined,
    write: () => false,
  }
  return { files, sources: OFFER_SOURCES, config: undefined, ...change }
}

function config(providers: string): Config {
  const read = readYaml(`berth: v1\nkind: config\nproviders: ${providers}\n`, 'c.yaml')
  if ('problems' in read) throw new UserError(read.problems)
  const parsed = parseConfig(read.document, { scores: [...SCORE_NAMES], filters: [...FILTER_NAMES] })
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems))
  return parsed.value
}

function ids(snapshot: Snapshot): readonly string[] {
  return Array.from({ length: rowCount(snapshot) }, (_, row) => listingAt(snapshot, row).id).sort()
}

describe('offers that come from a fleet', () => {
  test('are of the provider that lists the file, or of the fleet itself', () => {
    const owners = new Map([['hamburg.yaml', 'harbor']])
    const owned = loadOffers(['hamburg.yaml'], loading({ owners }))
    expect(ids(owned)).toEqual(['harbor/hamburg/n-1', 'harbor/hamburg/n-1#2'])
    expect(owned.fleets).toMatchObject([{ provider: 'harbor', region: 'hamburg' }])
    expect(ids(loadOffers(['hamburg.yaml'], loading()))).toEqual(['hamburg/hamburg/n-1', 'hamburg/hamburg/n-1#2'])
  })

  test('lie beside what others sell, with the labels and prices of the platform', () => {
    const settings = config('{ hamburg: { residency: eu, prices: [{ match: n-*, usd_per_hour: 2 }] } }')
    const snapshot = loadOffers(['hamburg.yaml', 'cloud.yaml'], loading({ config: settings }))
    expect(rowCount(snapshot)).toBe(3)
    const own = [0, 1, 2]
      .map((row) => listingAt(snapshot, row))
      .filter(({ machine }) => machine.capacity === 'owned')
      .map(({ site, price }) => [site.residency, price.usdPerHour])
    expect(own).toEqual([
      ['eu', 2],
      ['eu', 2],
    ])
  })

  test('are not there when their provider is switched off', () => {
    const settings = config('{ hamburg: { enabled: false } }')
    const snapshot = loadOffers(['hamburg.yaml', 'cloud.yaml'], loading({ config: settings }))
    expect(snapshot.fleets).toEqual([])
    expect(ids(snapshot)).toEqual(['cloud/north/m'])
  })

  test('keep their fleet in a snapshot, also when it is joined with others', () => {
    const first = loadOffers(['hamburg.yaml'], loading())
    const more = { 'o.snapshot': encodeSnapshot(first) }
    expect(loadOffers(['o.snapshot'], loading({}, more)).fleets).toEqual(first.fleets)
    const joined = loadOffers(['o.snapshot', 'cloud.yaml'], loading({}, more))
    expect(joined.fleets).toEqual(first.fleets)
    expect(rowCount(joined)).toBe(3)
    expect(joined.version).not.toBe(first.version)
  })

  test('make another version when what runs is different, though the offers are the same', () => {
    const offers = (name: string): Snapshot => {
      const bytes = new TextEncoder().encode(FLEET.replace('name: a,', `name: ${name},`))
      return loadOffers(['x.yaml'], loading({}, { 'x.yaml': bytes }))
    }
    expect(offers('a').version).toBe(offers('a').version)
    expect(offers('a').version).not.toBe(offers('b').version)
  })

  test('cannot be of two fleets with one name', () => {
    expect(() => loadOffers(['hamburg.yaml', 'old/hamburg.yaml'], loading())).toThrow(
      'There are two fleets with the name hamburg/hamburg.',
    )
    const owners = new Map([['old/hamburg.yaml', 'archive']])
    expect(loadOffers(['hamburg.yaml', 'old/hamburg.yaml'], loading({ owners })).fleets).toHaveLength(2)
  })

  test('are rows to be checked: only unknown cards are left out', () => {
    const rows = loadRows(['hamburg.yaml', 'nodes.csv'], loading())
    expect(rows.map(({ source, verdict, named, note }) => [source, verdict, named, note])).toEqual([
      ['hamburg.yaml', 'resolved', 'l40s', undefined],
      ['hamburg.yaml', 'resolved', 'l40s', undefined],
      ['nodes.csv', 'quarantined', 'x', 'a card that is not in the hardware table'],
    ])
  })
})

describe('paths', () => {
  test('that hold nothing are told apart from those that are not there', () => {
    const more = { 'a.txt': new Uint8Array() }
    expect(() => loadOffers(['a.txt'], loading({}, more))).toThrow('a.txt contains no offers that Berth can read.')
    expect(() => loadOffers(['b.txt'], loading())).toThrow('There is no file or folder at b.txt.')
  })
})

test('cards that a provider attaches to hosts of several sizes are offered with each', () => {
  const head =
    'InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,GpuInfo,Price,SpotPrice,Region,AvailabilityZone'
  const lines = [
    head,
    'n1-standard-8,,,8,30,,0.38,,us-central1,a',
    'n1-standard-16,,,16,60,,0.76,,us-central1,a',
    `,T4,2,,,"{'Gpus': [{'MemoryInfo': {'SizeInMiB': 16384}}]}",0.7,,us-central1,a`,
  ]
  const texts: Readonly<Record<string, string>> = { 'prices/gcp/vms.csv': `${lines.join('\n')}\n` }
  const files: Files = {
    read: (path) => (texts[path] === undefined ? undefined : new TextEncoder().encode(texts[path])),
    list: (path) => ({ prices: ['gcp'], 'prices/gcp': ['vms.csv'] })[path],
    write: () => false,
  }
  expect(ids(loadOffers(['prices'], loading({ files })))).toEqual([
    'gcp/us-central1/a/n1-standard-16',
    'gcp/us-central1/a/n1-standard-16 + 2 × T4',
    'gcp/us-central1/a/n1-standard-8',
    'gcp/us-central1/a/n1-standard-8 + 2 × T4',
  ])
  expect(loadRows(['prices'], loading({ files }))).toHaveLength(3)
})
