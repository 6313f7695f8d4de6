import { describe, expect, test } from 'vitest'
import { fleetOf, problemsOf, tenantsOn, warningsOf, withTenants } from './fleet-file.suite.ts'

const WHOLE = 'model: h100-sxm, count: 4'
const SHARED = 'model: h100-sxm, count: 4, sharing: share'
const MIG = 'model: h100-sxm, count: 4, sharing: mig'

/** What is wrong with these tenants, without the place. */
function wrong(gpu: string, tenants: readonly string[]): readonly string[] {
  return problemsOf(withTenants(gpu, tenants)).map((text) => text.replace(/^[^|]*\| /, ''))
}

describe('what runs in a fleet', () => {
  test('holds cards, processors and memory; who does not say what a restart costs is not moved lightly', () => {
    expect(tenantsOn(WHOLE, ['name: a, cards: [2, 0], disk: 1GB'])).toEqual([
      {
        name: 'a',
        request: {
          cpuMilli: 1000,
          memoryMib: 1024,
          diskMib: 954,
          count: 2,
          part: { kind: 'whole' },
          models: undefined,
        },
        spot: { node: 0, cards: [0, 2], taken: undefined },
        priority: 0,
        restart: 'training',
        checkpointAgeS: undefined,
      },
    ])
  })

  test('says what it is worth', () => {
    const [tenant] = tenantsOn(WHOLE, [
      'name: a, restart: inference, priority: -5, checkpoint_age: 1h30m, models: L40S',
    ])
    expect(tenant).toMatchObject({
      request: { count: 0, models: ['L40S', 'l40s'] },
      spot: { cards: [] },
      restart: 'inference',
      priority: -5,
      checkpointAgeS: 5400,
    })
  })

  test('may be part of a card', () => {
    const [share] = tenantsOn(SHARED, ['name: a, cards: [1], share: 12.5%'])
    expect(share?.request).toMatchObject({ count: 1, part: { kind: 'share', milli: 125 } })
    expect(share?.spot).toEqual({ node: 0, cards: [1], taken: { kind: 'share', milli: 125 } })
    const [slice] = tenantsOn(MIG, ['name: a, cards: [1], slice: { profile: 3g.40gb, start: 4 }'])
    expect(slice?.request).toMatchObject({ count: 1, part: { kind: 'slice', vramGib: 40 } })
    expect(slice?.spot).toEqual({ node: 0, cards: [1], taken: { kind: 'slice', profile: '3g.40gb', start: 4 } })
    const [all] = tenantsOn(SHARED, ['name: a, cards: [1], share: 100%'])
    expect(all?.spot.taken).toBeUndefined()
  })

  test('is the same on every node of a row', () => {
    const { tenants } = fleetOf(
      'nodes: [{ name: "n-{1..3}", cpu: 1, memory: 1Gi }]\nrunning: [{ name: gang, node: "n-{2..3}", cpu: 1, memory: 1Gi }]',
    )
    expect(tenants.map(({ name, spot }) => [name, spot.node])).toEqual([
      ['gang', 1],
      ['gang', 2],
    ])
  })

  test('without card numbers gets the lowest that are left and not failing, and a word about it', () => {
    const text = `${withTenants(WHOLE, ['name: a, gpus: 2', 'name: b, cards: [1]'])}\nhealth: { n/0: failing }`
    expect(fleetOf(text).tenants.map(({ spot }) => spot.cards)).toEqual([[2, 3], [1]])
    expect(warningsOf(text)).toEqual([
      '5:52 VALUE_INVALID 2 | The file does not say which cards a uses; Berth assumes 2, 3 of n. | If you know them: cards: [2, 3]',
    ])
  })

  test('on a failing card is worth knowing', () => {
    expect(warningsOf(`${withTenants(WHOLE, ['name: a, cards: [0, 1]'])}\nhealth: { n/1: failing }`)).toEqual([
      '5:57 VALUE_CONFLICT 1 | a is on card 1 of n, which is failing. | Move it, or correct `health`.',
    ])
  })
})

describe('what cannot run at once', () => {
  test.each([
    [
      'a card twice',
      WHOLE,
      ['name: a, cards: [0, 1]', 'name: b, cards: [1]'],
      'Card 1 of n is already used by a (line 5).',
    ],
    [
      'a whole card beside a share',
      SHARED,
      ['name: a, cards: [1], share: 10%', 'name: b, cards: [1]'],
      'Card 1 of n is already used by a in part (line 5).',
    ],
    [
      'more than a card in shares',
      SHARED,
      ['name: a, cards: [1], share: 60%', 'name: b, cards: [1], share: 40.5%'],
      'With this, 100.5 % of card 1 of n is in use.',
    ],
    [
      'a slice where another lies',
      MIG,
      [
        'name: a, cards: [1], slice: { profile: 2g.20gb, start: 0 }',
        'name: b, cards: [1], slice: { profile: 1g.10gb, start: 1 }',
      ],
      'Card 1 of n is already used by a with 2g.20gb at 0 (line 5).',
    ],
    [
      'a slice where none may begin',
      MIG,
      ['name: a, cards: [1], slice: { profile: 3g.40gb, start: 2 }'],
      '3g.40gb cannot begin at 2 on H100 SXM 80 GB. | It begins at 0, 4.',
    ],
    [
      'an unknown slice',
      MIG,
      ['name: a, cards: [1], slice: { profile: 1g.10g, start: 2 }'],
      'H100 SXM 80 GB has no slice 1g.10g. | It has 7g.80gb,',
    ],
    [
      'a slice that another card has',
      MIG,
      ['name: a, cards: [1], slice: { profile: 2g.48gb, start: 0 }'],
      'H100 SXM 80 GB has no slice 2g.48gb. | It has 7g.80gb, 4g.40gb, 3g.40gb, 2g.20gb, 1g.20gb, 1g.10gb.',
    ],
    [
      'a slice of a card that is not cut',
      WHOLE,
      ['name: a, cards: [1], slice: { profile: 1g.10gb, start: 0 }'],
      'Card 1 of n is not in MIG mode. | Write sharing: mig for it, or leave `slice` out.',
    ],
    ['a share of a card that is not shared', MIG, ['name: a, cards: [1], share: 10%'], 'Card 1 of n is not shared.'],
    ['a card that is not there', WHOLE, ['name: a, cards: [4]'], 'There is no card 4: cards are numbered from 0 to 3.'],
    [
      'more cards than are left',
      WHOLE,
      ['name: a, gpus: 4', 'name: b, cards: [0]'],
      'a holds 4 cards, but n has 4 and others hold 1.',
    ],
  ])('%s', (_, gpu, tenants, words) => {
    expect(wrong(gpu, tenants)).toEqual([expect.stringContaining(words)])
  })

  test.each([
    ['cpu: 7500m, memory: 1Gi', 'cpu', 'With this, 8.5 CPUs are in use on n, which has 8 CPUs.'],
    ['cpu: 1, memory: 65000Mi', 'memory', 'With this, 66024Mi of memory are in use on n, which has 64Gi of memory.'],
    ['cpu: 1, memory: 1Gi, disk: 2Gi', 'disk', 'With this, 2Gi of disk are in use on n, which has 1Gi of disk.'],
  ])('more than there is: %s', (amounts, _, words) => {
    const text = `nodes: [{ name: n, cpu: 8, memory: 64Gi, disk: 1Gi }]
running:
  - { name: a, node: n, cpu: 1, memory: 1Gi }
  - { name: b, node: n, ${amounts} }
  - { name: c, node: n, cpu: 1m, memory: 1Mi }`
    expect(problemsOf(text)).toEqual([expect.stringMatching(/^6:/)])
    expect(problemsOf(text)[0]).toContain(words)
  })

  test.each([
    ['cards: [0], share: 10%, slice: { profile: 1g.10gb, start: 0 }', '`share` and `slice` are both set'],
    ['share: 10%', '`share` is a part of a card, but `cards` does not say which card. | For example: cards: [0]'],
    ['slice: { profile: 1g.10gb, start: 0 }', '`slice` is a part of a card, but `cards` does not say which card.'],
    ['cards: [0], share: 0%', 'This must be more than 0.'],
    ['cards: [0, 1], gpus: 3', '`gpus` is 3, but `cards` names 2. | Leave `gpus` out.'],
    ['cards: [0, 1, 0]', 'Card 0 is already in the list. | Remove one of the two.'],
    ['cards: []', 'This must have at least 1 entry.'],
    ['cards: [0], slice: { profile: 1g.10gb }', '`start` is missing in `slice`. | For example: start: 4'],
  ])('keys that do not go together: %s', (keys, words) => {
    expect(wrong(MIG, [`name: a, ${keys}`])).toEqual([expect.stringContaining(words)])
  })

  test('a tenant on a node that does not exist', () => {
    const text =
      'nodes: [{ name: node-7, cpu: 1, memory: 1Gi }]\nrunning: [{ name: a, node: nod-7, cpu: 1, memory: 1Gi }]'
    expect(problemsOf(text)).toEqual([
      '4:28 VALUE_INVALID nod-7 | There is no node nod-7 in the fleet. | Did you mean node-7?',
    ])
  })

  test('too many tenants on too many nodes', () => {
    const row = '{ name: a, node: "n{1..90000}", cpu: 1m, memory: 1Mi }'
    expect(
      problemsOf(`nodes: [{ name: "n{1..90000}", cpu: 1, memory: 1Gi }]\nrunning: [${[row, row, row].join(', ')}]`),
    ).toEqual([expect.stringContaining('There are 270000 entries here, counted per node; the limit is 200000.')])
  })
})
