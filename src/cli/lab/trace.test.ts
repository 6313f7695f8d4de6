import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, textAt, words, type Ran, type World } from '../harness.suite.ts'

const ROOT = join(import.meta.dirname, '../../..')

const FLEET = `berth: v1
kind: fleet
nodes:
  - { name: "h-{1..4}", gpu: { model: h100-sxm, count: 8 }, cpu: 192, memory: 2Ti, rack: r1, zone: a }
  - { name: shared, gpu: { model: l40s, count: 2, sharing: share }, cpu: 32, memory: 256Gi }
running:
  - { name: llama, node: h-1, cpu: 64, memory: 512Gi, cards: [0, 1, 2, 3] }
`

const TRACE = `name,arrival_s,duration_s,cpu,memory,gpus,share,models,nodes,within,priority
train,0,7200,96,1Ti,8,,,3,rack,
notebook,60,3600,4,32Gi,,25%,,,,
tune,120,600,16,64Gi,4,,,,,
late,180,600,16,64Gi,4,,,,,
urgent,240,600,16,64Gi,2,,,,,10
giant,300,600,16,64Gi,8,,,9,,
exotic,360,600,16,64Gi,1,,b200,,,
service,420,,8,64Gi,8,,h100-sxm,,,
`

function play(line: string, world: World = {}): Promise<Ran> {
  const files = { 'fleet.yaml': FLEET, 'jobs.csv': TRACE, ...world.files }
  return berth(words(`simulate trace ${line}`), { ...world, files })
}

const LINE = 'jobs.csv --fleet fleet.yaml --policy best-fit'

describe('berth simulate trace', () => {
  test('says what was placed, what waited, what has no place and why', async () => {
    const { code, out, err } = await play(LINE)
    expect(err).toBe('')
    expect(code).toBe(EXIT.ok)
    expect(out).toBe(`6 of 8 arrivals placed; 85.17 % of 34 cards of fleet.yaml allocated on average over 2.0 h

  POLICY    ALLOCATED %  STUCK %  PLACED  REFUSED  STILL WAITING  MEAN WAIT  LONGEST
  best-fit        85.17     0.00       6        2              0     23 min    1.9 h

            SIZE  COUNT  MEAN WAIT     P99  LONGEST  STILL WAITING
  part of a card      1          0       0        0              0
               2      1      8 min   8 min    8 min              0
               4      2     10 min  19 min   19 min              0
               8      1      1.9 h   1.9 h    1.9 h              0
           3 × 8      1          0       0        0              0

  COUNT  REFUSED BECAUSE                                                   WORK
      1  more nodes than any one domain has, even with nothing running     giant
      1  no node has a suitable card, or one that can be divided this way  exotic

What was free when the fleet was fullest (94.85 % allocated, 2 min after the start):

  CARDS  WHOLE  50-99 %  25-49 %  10-24 %  UNDER 10 %  WHY IT IS FREE
    1.8    1.0      0.8        -        -           -  usual work would still fit

Next:  berth simulate trace jobs.csv --fleet fleet.yaml --policy best-fit --save curves.html
`)
  })

  test('says the same for scripts, and more', async () => {
    const [result] = JSON.parse((await play(`${LINE} -o json --curve`)).out)
    expect(result).toMatchObject({
      trace: 'jobs.csv',
      fleet: 'fleet.yaml',
      policy: 'best-fit',
      cards: 34,
      arrived: 8,
      placed: 6,
      refused: [
        { name: 'giant', reason: 'gang-too-large' },
        { name: 'exotic', reason: 'no-such-card' },
      ],
      waiting: [],
      from_s: 0,
      to_s: 7200,
    })
    expect(result.curve[0]).toEqual([0, 82.3529])
    expect(result.stuck_curve.length).toBeGreaterThan(2)
    expect(result.waits.map(({ size }: { size: string }) => size)).toEqual(['part of a card', '2', '4', '8', '3 × 8'])
    expect(JSON.parse((await play(`${LINE} -o json`)).out)[0]).not.toHaveProperty('curve')
  })

  test('compares policies in a table, with the rest on demand', async () => {
    const line = 'jobs.csv --fleet fleet.yaml --policy stranding,fgd,best-fit'
    const { out } = await play(line)
    expect(out.match(/^ {2}(stranding|fgd|best-fit) +[\d.]+ /gm)).toHaveLength(3)
    expect(out).toContain('\nWhat waited, what has no place, and what was left free:  --all, or -o json\n')
    expect((await play(`${line} --all`)).out).toContain('\nfgd:\n')
  })

  test('keeps curves and figures', async () => {
    expect(textAt(await play(`${LINE} --save a.html`), 'a.html')).toContain(
      'Free, but too small for any work in the trace',
    )
    expect(textAt(await play(`${LINE} --save a.csv`), 'a.csv')).toMatch(
      /^policy,time_s,allocated_percent\nbest-fit,0,82/,
    )
    expect(textAt(await play(`${LINE} --save a.svg`), 'a.svg')).toContain('Allocated, over time')
    expect(JSON.parse(textAt(await play(`${LINE} --save a.json`), 'a.json'))).toMatchObject({ kind: 'simulation' })
  })

  test('a trace without arrivals gives a sentence', async () => {
    const { code, out } = await play('jobs.csv --fleet fleet.yaml', { files: { 'jobs.csv': 'name,arrival_s\n' } })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('jobs.csv has no arrivals.')
  })

  test('patience and a cold start are part of the command that shows the same', async () => {
    const { out } = await play('jobs.csv --fleet fleet.yaml --cold --patience 5')
    expect(out).toContain(
      'Next:  berth simulate trace jobs.csv --fleet fleet.yaml --cold --patience 5 --policy stranding,',
    )
  })

  test.each([
    ['nowhere.csv --fleet fleet.yaml', 'There is no file nowhere.csv to read.'],
    ['jobs.csv --fleet nowhere.yaml', 'There is no file nowhere.yaml to read.'],
    ['fleet.yaml --fleet fleet.yaml', 'No such column.'],
  ])('%s cannot be played', async (line, expected) => {
    const { code, out, err } = await play(line)
    expect(code).toBe(EXIT.invalid)
    expect(out).toBe('')
    expect(err).toContain(expected)
  })

  test('reads a trace from standard input', async () => {
    const { code, out } = await play('- --fleet fleet.yaml', { files: { '-': TRACE } })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('6 of 8 arrivals placed')
  })

  test('plays on a fleet with slices, failing cards and tenants on them', async () => {
    const harbor = readFileSync(join(ROOT, 'examples/fleets/harbor.yaml'), 'utf8')
    const trace = 'name,arrival_s,duration_s,cpu,memory,gpus,vram\nslice,0,60,2,8Gi,,10Gi\nfour,5,60,8,64Gi,4,\n'
    const { code, out } = await play(LINE, { files: { 'fleet.yaml': harbor, 'jobs.csv': trace } })
    expect(code).toBe(EXIT.ok)
    expect(out).toContain('2 of 2 arrivals placed')
  })
})
