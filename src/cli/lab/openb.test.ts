import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, textAt, words, type Ran, type World } from '../harness.suite.ts'
import { openbFolder } from './simulate.suite.ts'

function play(line: string, world: World = {}): Promise<Ran> {
  return berth(words(`simulate openb ${line}`), { ...world, files: { ...openbFolder(), ...world.files } })
}

async function data(line: string): Promise<readonly Record<string, unknown>[]> {
  const { code, out, err } = await play(`${line} -o json`)
  expect(err).toBe('')
  expect(code).toBe(EXIT.ok)
  return JSON.parse(out)
}

describe('filling', () => {
  test('says how full the fleet gets, what was dropped and what is left', async () => {
    const { code, out, err } = await play('--data openb --trace small --seeds 1-3 --policy best-fit')
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`83.15 % of 72 cards are allocated when 100 % has arrived (small, best-fit, mean of 3 seeds)

  TRACE  POLICY    % AT 95  % AT 100      FROM-TO  % AT 130      FROM-TO  PLACED  DROPPED  PER CPU S
  small  best-fit    83.15     83.15  77.51-88.35     98.94  98.42-99.21      53      127          ?

What was dropped, average per seed:

  COUNT  CARDS  BECAUSE
     20     20  no node has a suitable card, or one that can be divided this way
     71    223  less is free on all suitable cards than it asks for
     37     20  enough is free in total, but in pieces: too few cards have that much free

What is left free at the end of seed 1, in cards, by size of piece: 0.6 in total

  CARDS  WHOLE  50-99 %  25-49 %  10-24 %  UNDER 10 %  WHY IT IS FREE
    0.6      -        -        -      0.6           -  smaller than any request

Next:  berth simulate openb --data openb --trace small --seeds 1-3 --policy best-fit --save curves.html
`)
  })

  test('gives scripts what they rely on, one object a seed', async () => {
    const results = await data('--data openb/ --trace small --seeds 2,3 --policy best-fit')
    expect(results).toHaveLength(2)
    expect(Object.keys(results[0] ?? {}).slice(0, 7)).toEqual([
      'trace',
      'seed',
      'policy',
      'allocated',
      'placed',
      'dropped',
      'cpu_seconds',
    ])
    expect(results[0]).toMatchObject({
      trace: 'small',
      seed: 2,
      policy: 'best-fit',
      allocated: { 95: 83.5833, 100: 83.5833, 130: 99.2083 },
      placed: 51,
      dropped: 129,
      cpu_seconds: 0,
      refusals: [
        { reason: 'no-such-card', count: 20, cards: 20 },
        { reason: 'full', count: 80, cards: 233.77 },
        { reason: 'in-pieces', count: 29, cards: 12.06 },
      ],
      fragmentation: [{ piece: { from: 0.1, to: 0.249 }, why: 'too-small', pieces: 3, cards: 0.57 }],
    })
    expect(results[0]).not.toHaveProperty('declined')
    expect(results[0]).not.toHaveProperty('curve')
  })

  test('our own policy and every seed by default', async () => {
    const results = await data('--data openb --trace small')
    expect(results.map(({ policy, seed }) => `${policy} ${seed}`)).toEqual([
      'stranding 1',
      'stranding 2',
      'stranding 3',
    ])
    expect(results.every(({ history }) => history === 'trace')).toBe(true)
  })

  test('traces and policies may be named again and again, or with commas between', async () => {
    const results = await data(
      '--data openb --trace small --trace timeless --seeds 1 --policy fgd,best-fit --policy fgd',
    )
    expect(results.map(({ trace, policy }) => `${trace} ${policy}`)).toEqual([
      'small fgd',
      'small best-fit',
      'timeless fgd',
      'timeless best-fit',
    ])
    expect((await data('--data openb --trace all --seeds 1')).map(({ trace }) => trace)).toEqual(['small', 'timeless'])
  })

  test('several traces or policies share a table, and the rest is shown when asked for', async () => {
    const line = '--data openb --trace all --seeds 1 --policy best-fit,fgd'
    const some = (await play(line)).out
    expect(some).toContain('\nWhy work was dropped, and what is left free:  --all, or -o json\n')
    expect(some).not.toContain('What was dropped')
    expect(
      (await play(`${line} --all`)).out.match(/What was dropped \((small|timeless), (best-fit|fgd)\):/g),
    ).toHaveLength(4)
  })

  test('nodes are ranked by their names, whatever order they are listed in', async () => {
    const files = openbFolder()
    const path = 'openb/openb_node_list_gpu_node.csv'
    const [head = '', ...rows] = (files[path] ?? '').trim().split('\n')
    const line = '--data openb --trace small --policy best-fit -o json --curve'
    const turned = await play(line, { files: { [path]: [head, ...rows.toReversed()].join('\n') } })
    expect(turned.out).toBe((await play(line)).out)
  })

  test('ends early when told to', async () => {
    const [result] = await data('--data openb --trace small --seeds 1 --until 90 --policy best-fit')
    expect(result).toMatchObject({ allocated: { 90: 77.5139, 95: null, 100: null, 130: null }, placed: 25 })
    const { out } = await play('--data openb --trace small --seeds 1 --until 80 --policy best-fit')
    expect(out).toContain('% of 72 cards are allocated when 80 % has arrived (small, best-fit, seed 1)')
  })

  test('without a history the policy learns from what comes', async () => {
    const [cold] = await data('--data openb --trace small --seeds 1 --cold')
    expect(cold).toMatchObject({ history: 'nothing', policy: 'stranding' })
    expect((await play('--data openb --trace small --seeds 1 --cold')).out).toContain('seed 1, without history)')
  })

  test('every figure also shows what was declined', async () => {
    const line = '--data openb --trace small --seeds 2,3 --policy best-fit --admission'
    const [, result] = await data(line)
    expect(result).toMatchObject({ declined: 1, declined_at: { 95: 1, 100: 1, 130: 1 }, placed: 53, dropped: 126 })
    const { out } = await play(line)
    expect(out).toContain('are allocated when 100 % has arrived, with 1 declined (small, best-fit, mean of 2 seeds)')
    expect(out).toContain('  TRACE  POLICY    % AT 95  DECLINED  % AT 100  DECLINED  % AT 130  DECLINED  PLACED')
  })

  test('how fast decisions were goes by the processor time', async () => {
    const { out } = await play('--data openb --trace small --seeds 1 --policy best-fit', { msBetweenLooks: 100 })
    expect(out).toMatch(/ {2}PER CPU S\n.* 1,800\n/)
  })

  test('on a terminal it shows at once what it waits for, and how far it is', async () => {
    const line = '--data openb --trace small --seeds 1,2 --policy best-fit'
    const watched = await play(line, { columns: 80, msBetweenLooks: 400 })
    expect(watched.err).toContain('\rsmall, best-fit, seed 2 (2 of 2)')
    expect(watched.err).toMatch(/\r +\r$/)
    expect((await play(line, { columns: 80 })).err).toContain('\rsmall, best-fit, seed 1 (1 of 2)')
    expect((await play(line, { msBetweenLooks: 400 })).err).toBe('')
  })
})

describe('departures', () => {
  const line = '--data openb --trace small --departures --policy best-fit --loads 0.9,1.5 --days 0.05 --warm-up 0.02'

  test('say how full the fleet is on average and how long work waits', async () => {
    const { code, out } = await play(line)
    expect(code).toBe(EXIT.ok)
    expect(out)
      .toBe(`50.58 % of 72 cards are allocated on average at load 0.9 (small, best-fit, 0.05 d measured after 0.02 d of warm-up)

  TRACE  LOAD  POLICY    ALLOCATED %  COUNT  MEAN WAIT  LONGEST  STILL WAITING
  small   0.9  best-fit        50.58     56      7 min    1.6 h             10
  small   1.5  best-fit        81.48     79     11 min    1.6 h             19

By request size, in cards:

  TRACE  LOAD  POLICY              SIZE  COUNT  MEAN WAIT     P99  LONGEST  STILL WAITING
  small   0.9  best-fit         no card      4          0       0        0              0
  small   0.9  best-fit  part of a card     20          0       0        0              0
  small   0.9  best-fit               1     23     17 min   1.6 h    1.6 h             10
  small   0.9  best-fit               4      6          0       0        0              0
  small   0.9  best-fit               8      3          0       0        0              0
  small   1.5  best-fit         no card      5          0       0        0              0
  small   1.5  best-fit  part of a card     28          0       0        0              0
  small   1.5  best-fit               1     29     27 min   1.6 h    1.6 h             14
  small   1.5  best-fit               4     11      5 min  16 min   16 min              3
  small   1.5  best-fit               8      6      8 min  22 min   22 min              2

Next:  berth simulate openb --data openb --trace small --policy best-fit --departures --loads 0.9,1.5 --days 0.05 --warm-up 0.02 --save churn.html
`)
  })

  test('compare all policies unless some are named, each at every load', async () => {
    const results = await data('--data openb --trace small --departures --loads 1 --days 0.02 --warm-up 0')
    expect(results.map(({ policy, load, seed }) => `${policy} ${load} ${seed}`)).toEqual([
      'stranding 1 1',
      'fgd 1 1',
      'best-fit 1 1',
    ])
    expect(results[0]).toMatchObject({ days: 0.02, warm_up_days: 0, waits: expect.arrayContaining([]) })
  })

  test('leave the sizes to those who ask where they would fill the screen', async () => {
    const many = line.replace('best-fit', 'best-fit,fgd,stranding')
    expect((await play(many)).out).toContain('\nWaits by request size:  --all, or -o json\n')
    expect((await play(`${many} --all`)).out).toContain('\nBy request size, in cards:\n')
  })

  test('take several seeds together', async () => {
    const [one, two] = await data(`${line} --seeds 5,6 --loads 1.5`)
    const { out } = await play(`${line} --seeds 5,6 --loads 1.5`)
    const mean = ((Number(one?.['allocated']) + Number(two?.['allocated'])) / 2).toFixed(2)
    expect(out).toContain(`${mean} % of 72 cards are allocated on average at load 1.5`)
  })

  test.each(['--admission', '--until 50'])('do not go together with %s', async (flag) => {
    const { code, err } = await play(`--data openb --trace small --departures ${flag}`)
    expect(err).toContain('cannot be combined with --departures')
    expect(code).toBe(EXIT.usage)
  })

  test('need lifetimes', async () => {
    const { code, err } = await play('--data openb --trace timeless --departures')
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('timeless does not say how long its work ran, so nothing would ever leave.')
  })

  test('need work that holds a card for some time', async () => {
    const pods =
      'name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time,deletion_time\na,1,1,0,0,0,9\nb,1,1,1,1000,5,5\n'
    const { err } = await play('--data openb --trace small --departures', {
      files: { 'openb/openb_pod_list_small.csv': pods },
    })
    expect(err).toContain('No work in small holds a card for any time.')
  })
})

describe('saving', () => {
  const line = '--data openb --trace small --seeds 1,2 --policy best-fit --save'

  test('as a page, a picture, a table or data', async () => {
    const page = await play(`${line} a.html`)
    expect(page.err).toBe('saved: a.html\n')
    expect(textAt(page, 'a.html')).toMatch(/^<!doctype html>[^]*<svg [^]*<svg [^]*<td>best-fit<\/td>/)
    expect(textAt(await play(`${line} a.svg`), 'a.svg')).toMatch(/^<svg [^]*best-fit ends at [^]*<\/svg>\n$/)
    const table = textAt(await play(`${line} a.csv`), 'a.csv').split('\n')
    expect(table[0]).toBe('trace,policy,seed,arrived_percent,allocated_percent')
    expect(table[1]).toMatch(/^small,best-fit,1,\d+,\d/)
    const saved = JSON.parse(textAt(await play(`${line} a.json`), 'a.json'))
    expect(saved).toMatchObject({ berth: 'v1', kind: 'simulation', results: [{ seed: 1 }, { seed: 2 }] })
    expect(saved.results[0].curve.at(-1)).toHaveLength(2)
  })

  test('of departures too', async () => {
    const churn =
      '--data openb --trace small --departures --policy fgd,best-fit --loads 0.9,1.5 --days 0.02 --warm-up 0 --save'
    expect(textAt(await play(`${churn} b.html`), 'b.html')).toContain('Longest wait, by load')
    expect(textAt(await play(`${churn} b.csv`), 'b.csv')).toMatch(/^trace,load,policy,allocated_percent,size,/)
    expect(textAt(await play(`${churn} b.svg`), 'b.svg')).toContain('Allocated on average, by load')
  })

  test('only ever replaces what Berth has saved', async () => {
    for (const ending of ['html', 'svg', 'csv', 'json']) {
      const first = await play(`${line} a.${ending}`)
      const again = await play(`${line} a.${ending}`, { files: { [`a.${ending}`]: textAt(first, `a.${ending}`) } })
      expect(again.code).toBe(EXIT.ok)
      const other = await play(`${line} a.${ending}`, { files: { [`a.${ending}`]: 'my own words' } })
      expect(other.code).toBe(EXIT.invalid)
      expect(other.err).toContain('FILE_IN_THE_WAY')
    }
  })

  test('says when it cannot', async () => {
    const { code, err } = await play(`${line} a.svg`, { readOnly: ['a.svg'] })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('FILE_NOT_WRITTEN')
  })
})

describe('what cannot be played', () => {
  test.each([
    ['--data nowhere --trace small', 'There is no folder nowhere.'],
    ['--data openb --trace smal', 'Did you mean small? Traces in that folder: small, timeless.'],
    ['--data openb --trace elsewhere', 'There is no trace elsewhere in openb.'],
    ['--data openb --trace small --seeds 3-5', 'has no seed 4.\n    Seeds in that file: 1, 2, 3.'],
  ])('%s', async (line, expected) => {
    const { code, out, err } = await play(line)
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain(expected)
  })

  test.each([
    ['the nodes are missing', { 'openb/openb_node_list_gpu_node.csv': new Uint8Array() }, 'KEY_MISSING'],
    [
      'no node has a card',
      { 'openb/openb_node_list_gpu_node.csv': 'sn,cpu_milli,memory_mib,gpu,model\na,1,1,0,\n' },
      'has no cards.',
    ],
    [
      'a pod cannot be understood',
      { 'openb/openb_pod_list_small.csv': 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,x,1,1,1' },
      '2 | a,x,1,1,1',
    ],
    [
      'an order names a pod that is not there',
      { 'openb/orders/small.json.gz': '{"seeds":{"1":{"pods":[0,120],"nodeRank":[]}}}' },
      'Seed 1 of openb/orders/small.json.gz names pod 120, but the list ends with 119.',
    ],
    [
      'an order ranks other nodes',
      { 'openb/orders/small.json.gz': '{"seeds":{"1":{"pods":[0],"nodeRank":[0]}}}' },
      'ranks 1 nodes, but there are 12.',
    ],
    ['an order is no JSON', { 'openb/orders/small.json.gz': 'nonsense' }, 'is not JSON.'],
  ])('%s', async (_, files, expected) => {
    const { code, err } = await play('--data openb --trace small --seeds 1', { files })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain(expected)
  })

  test('a trace without orders', async () => {
    const files = { 'openb/openb_pod_list_new.csv': 'name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000' }
    const { code, err } = await play('--data openb --trace new', { files })
    expect(code).toBe(EXIT.invalid)
    expect(err).toContain('The orders of arrival of new are missing: openb/orders/new.json.gz.')
  })

  test.each([
    ['--data openb', "required option '--trace <names>' not specified"],
    ['--data openb --trace ,', 'Give at least one value.'],
    [
      '--data openb --trace small --policy fdg',
      'There is no policy fdg. Did you mean fgd? Policies: stranding, fgd, best-fit.',
    ],
    ['--data openb --trace small --policy magic', 'There is no policy magic. Policies: stranding, fgd, best-fit.'],
    ['--data openb --trace small --seeds one', 'one is neither a seed nor a range of seeds. For example: 42-51'],
    ['--data openb --trace small --seeds 5-1', '5-1 is neither a seed nor a range of seeds.'],
    ['--data openb --trace small --seeds 1-5000', 'At most 1000 seeds can be played.'],
    ['--data openb --trace small --until 0', '0 is not a number from 1 to 1000.'],
    ['--data openb --trace small --save a.png', 'The file name must end in .html, .svg, .csv or .json.'],
  ])('%s is no command line', async (line, expected) => {
    const { code, err } = await play(line)
    expect(code).toBe(EXIT.usage)
    expect(err).toContain(expected)
  })
})
