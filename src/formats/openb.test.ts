import { describe, expect, test } from 'vitest'
import { readOrders, readPods, type OpenbPods } from './openb.ts'

const HEAD = 'name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,creation_time,deletion_time'

function podsOf(...rows: readonly string[]): OpenbPods {
  const pods = readPods([HEAD, ...rows].join('\n'), 'pods.csv')
  if ('problems' in pods) throw new Error(pods.problems.map(({ message }) => message).join('\n'))
  return pods
}

function problemsOf(text: string): readonly string[] {
  const pods = readPods(text, 'pods.csv')
  return 'problems' in pods ? pods.problems.map(({ place, message }) => `${place?.line}: ${message}`) : []
}

describe('pods', () => {
  test('are sorted by name, and those who ask for the same share a request', () => {
    const pods = podsOf('b,1000,2048,1,1000,,0,1', 'a,4000,1024,1,250,,0,1', 'c,4000,1024,1,250,,0,1')
    expect([...pods.of]).toEqual([0, 1, 0])
    expect(pods.requests).toHaveLength(2)
    expect(pods.requests[0]).toEqual({
      cpuMilli: 4000,
      memoryMib: 1024,
      diskMib: 0,
      count: 1,
      part: { kind: 'share', milli: 250 },
      models: undefined,
    })
  })

  test.each([
    ['no card', '0,0', { count: 0, part: { kind: 'whole' } }],
    ['a card of which nothing is asked is no card', '1,0', { count: 0, part: { kind: 'whole' } }],
    ['whole cards', '8,1000', { count: 8, part: { kind: 'whole' } }],
    ['parts of several cards', '2,500', { count: 2, part: { kind: 'share', milli: 500 } }],
  ])('may ask for %s', (_, columns, expected) => {
    expect(podsOf(`a,1,1,${columns},,0,1`).requests[0]).toMatchObject(expected)
  })

  test('name the models that will do, whatever they are called', () => {
    expect(podsOf('a,1,1,1,1000,V100M16|V100M32,0,1').requests[0]?.models).toEqual(['V100M16', 'V100M32'])
    expect(podsOf('a,1,1,1,1000,|,0,1').requests[0]?.models).toBeUndefined()
    expect(podsOf('a,1,1,1,1000,X9000,0,1').requests[0]?.models).toEqual(['X9000'])
  })

  test('have lifetimes where every one of them tells', () => {
    expect([...(podsOf('a,1,1,1,1000,,10,25', 'b,1,1,1,1000,,30,20').lifetimeS ?? [])]).toEqual([15, 0])
    expect(podsOf('a,1,1,1,1000,,10,25', 'b,1,1,1,1000,,30,').lifetimeS).toBeUndefined()
  })

  test('need no more columns than they must have', () => {
    const pods = readPods('name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,8000.0,30517,1,460\n', 'pods.csv')
    expect(pods).toMatchObject({ requests: [{ cpuMilli: 8000, models: undefined }], lifetimeS: undefined })
  })

  test('that cannot be understood are told with their lines', () => {
    expect(problemsOf(`${HEAD}\na,x,1,1,1000,,0,1\nb,1,1,1,1001,,0,1\nc,1,1,1\nd,1,1,5000,1000,,0,1\n"e`)).toEqual([
      '2: `cpu_milli` is not a whole number: x',
      '3: `gpu_milli` is more than a card: 1001',
      '4: This line has too few or too many fields.',
      '5: `num_gpu` is more than 1024: 5000',
      '6: A quoted field is not closed.',
    ])
  })

  test('without their columns are refused with those that are missing', () => {
    expect(problemsOf('name,cpu_milli,memory_mib\n')[0]).toContain('num_gpu and gpu_milli are missing.')
    expect(problemsOf('name,cpu_milli,memory_mib,num_gpu\n')[0]).toContain('gpu_milli is missing.')
  })
})

describe('orders', () => {
  test('are read by seed', () => {
    const read = readOrders('{"seeds":{"42":{"pods":[1,0,1],"nodeRank":[1,0]}}}', 'o.json.gz')
    expect('seeds' in read && read.seeds.get('42')).toEqual({ pods: [1, 0, 1], nodeRank: [1, 0] })
  })

  test.each([
    ['nonsense', 'o.json.gz is not JSON.'],
    ['[]', 'o.json.gz has no seeds.'],
    ['{"seeds":null}', 'o.json.gz has no seeds.'],
    ['{"seeds":{"7":{"pods":[1.5],"nodeRank":[]}}}', 'Seed 7 of o.json.gz needs whole numbers'],
    ['{"seeds":{"7":{"pods":[-1],"nodeRank":[]}}}', 'Seed 7 of o.json.gz needs whole numbers'],
    ['{"seeds":{"7":{"pods":[]}}}', 'Seed 7 of o.json.gz needs whole numbers'],
  ])('%s is refused', (text, message) => {
    const read = readOrders(text, 'o.json.gz')
    expect('problems' in read && read.problems[0]?.message).toContain(message)
  })
})
