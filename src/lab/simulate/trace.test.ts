import { describe, expect, test } from 'vitest'
import { readCsv } from '../../formats/csv.ts'
import { readTrace, type Arrival } from './trace.ts'

function arrivals(...lines: readonly string[]): readonly Arrival[] {
  const read = readTrace(readCsv(lines.join('\n')), 'trace.csv')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.value
}

/** Problems as `line:column CODE found | message | hint`. */
function problemsOf(...lines: readonly string[]): readonly string[] {
  const read = readTrace(readCsv(lines.join('\n')), 'trace.csv')
  if (!('problems' in read)) return []
  return read.problems.map(({ place, code, found, message, hint }) => {
    const at = `${place?.line}:${place?.column} ${code}${found === undefined ? '' : ` ${found}`}`
    return [at, message, hint].filter((part) => part !== undefined).join(' | ')
  })
}

describe('a trace', () => {
  test('says who comes when, and what it asks for', () => {
    expect(
      arrivals(
        'name,arrival_s,duration_s,cpu,memory,disk,gpus,share,vram,models,nodes,within,priority',
        'train,60,3600.5,16,64Gi,1Ti,8,,,,2,rack,10',
      ),
    ).toEqual([
      {
        name: 'train',
        arrivalS: 60,
        durationS: 3600.5,
        request: {
          cpuMilli: 16_000,
          memoryMib: 65_536,
          diskMib: 1_048_576,
          count: 8,
          part: { kind: 'whole' },
          models: undefined,
        },
        nodes: 2,
        within: 'rack',
        priority: 10,
      },
    ])
  })

  test('may leave out almost everything; who does not say how long never leaves', () => {
    expect(arrivals('arrival_s,name', '0,a')).toEqual([
      {
        name: 'a',
        arrivalS: 0,
        durationS: undefined,
        request: { cpuMilli: 0, memoryMib: 0, diskMib: 0, count: 0, part: { kind: 'whole' }, models: undefined },
        nodes: 1,
        within: undefined,
        priority: 0,
      },
    ])
  })

  test.each([
    ['a,0,,25%,', { count: 1, part: { kind: 'share', milli: 250 } }],
    ['a,0,2,25%,', { count: 2, part: { kind: 'share', milli: 250 } }],
    ['a,0,,100%,', { count: 1, part: { kind: 'whole' } }],
    ['a,0,,,10Gi', { count: 1, part: { kind: 'slice', vramGib: 10 } }],
    ['a,0,1,,10GB', { count: 1, part: { kind: 'slice', vramGib: 10 } }],
    ['a,0,3,,', { count: 3, part: { kind: 'whole' } }],
    ['a,0,0,,', { count: 0, part: { kind: 'whole' } }],
  ])('asks for parts of cards: %s', (line, request) => {
    expect(arrivals('name,arrival_s,gpus,share,vram', line)[0]?.request).toMatchObject(request)
  })

  test('is sorted by time, and who comes at once stays in the order of the file', () => {
    const names = arrivals('name,arrival_s', 'd,7', 'b,3', 'c,3', 'a,0').map(({ name }) => name)
    expect(names).toEqual(['a', 'b', 'c', 'd'])
  })

  test('shares one object among those who ask for the same', () => {
    const [one, two, three] = arrivals('name,arrival_s,cpu,models', 'a,0,4,L4|T4', 'b,1,4,L4|T4', 'c,2,5,L4|T4')
    expect(two?.request).toBe(one?.request)
    expect(three?.request).not.toBe(one?.request)
    expect(three?.request.models).toBe(one?.request.models)
  })

  test('rounds what is asked for up', () => {
    expect(arrivals('name,arrival_s,cpu,memory', 'a,0,500m,80GB')[0]?.request).toMatchObject({
      cpuMilli: 500,
      memoryMib: 76_294,
    })
  })
})

describe('the models of a trace', () => {
  test.each([
    ['V100M16|V100M32', ['V100M16', 'V100M32']],
    ['G2', ['G2']],
    ['h100-sxm', ['h100-sxm']],
    ['H100 SXM', ['H100 SXM', 'h100-sxm']],
    [' L4 | T4 ', ['L4', 'T4', 'l4', 't4']],
    ['P100', ['P100', 'p100-16', 'p100-pcie-16', 'p100-sxm-16']],
    ['|', undefined],
  ])('%s stands for itself and for every card of that name', (text, models) => {
    const accepted = arrivals('name,arrival_s,models', `a,0,${text}`)[0]?.request.models
    if (models === undefined) expect(accepted).toBeUndefined()
    else expect(accepted).toEqual(expect.arrayContaining(models))
  })
})

describe('a trace that is wrong', () => {
  test('is told everything at once, by line and column', () => {
    expect(
      problemsOf(
        'name,arrival_s,cpu,memory,gpus,share,within,nodes,priority',
        'a,,4,16,8,,,,',
        ',0,x,16Gi,1.5,,,,',
        'a,soon,4,16Gi,,,,,',
        'b,0,4,16Gi,0,25%,row,,',
        'c,0,4,16Gi,,0%,,0,high',
        'd,0,4',
        'e,99999999999,4,16Gi,2000,,,,',
      ),
    ).toEqual([
      '2:3 KEY_MISSING | `arrival_s` is empty. | For example: 3600',
      '2:6 QUANTITY_INVALID 16 | This is not a valid amount. | Add a unit: 16Gi, or 16Mi.',
      '3:1 KEY_MISSING | `name` is empty. | For example: train-1',
      '3:4 QUANTITY_INVALID x | This is not a valid amount. | Write cores, for example 16, 0.5 or 500m.',
      '3:11 QUANTITY_INVALID 1.5 | This is not a valid number for this column. | For example: 8',
      '4:1 KEY_REPEATED a | a is already on line 2. | Rename one of the two.',
      '4:3 QUANTITY_INVALID soon | This is not a valid number for this column. | For example: 3600',
      '5:12 VALUE_CONFLICT 0 | `gpus` is 0, but a part of a card is requested. | Write 1, or leave the part empty.',
      '5:18 VALUE_INVALID row | `row` is not one of zone, fabric, rack, nvlink_domain. | Leave it empty if it does not matter.',
      '6:13 VALUE_RANGE 0% | This must be more than 0. | Leave it empty if it does not matter.',
      '6:17 VALUE_RANGE 0 | This must be more than 0. | Leave it empty if it does not matter.',
      '6:19 QUANTITY_INVALID high | This is not a valid number for this column. | For example: 10',
      '7:1 VALUE_INVALID | The line has 3 fields, but there are 9 columns. | An empty field still needs its comma.',
      '8:3 VALUE_RANGE 99999999999 | The number must be at most 1000000000. | For example: 3600',
      '8:22 VALUE_RANGE 2000 | The number must be at most 1024. | For example: 8',
    ])
  })

  test('asks for one part or the other', () => {
    expect(problemsOf('name,arrival_s,share,vram', 'a,0,25%,10Gi')).toEqual([
      expect.stringMatching(/^2:9 VALUE_CONFLICT 10Gi \| `share` and `vram` are both set/),
    ])
  })

  test.each([
    [
      'name,arrival,cpu',
      ['1:6 KEY_UNKNOWN arrival | No such column.', '1:1 KEY_MISSING | The column `arrival_s` is missing.'],
    ],
    ['name,arrival_s,memroy', ['1:16 KEY_UNKNOWN memroy | No such column. | Did you mean memory?']],
    ['name,arrival_s,cpu,cpu', ['1:20 KEY_DUPLICATE cpu | This column appears twice. | Keep one of the two.']],
    ['', ['1:1 KEY_MISSING | The column `name`', '1:1 KEY_MISSING | The column `arrival_s`']],
  ])('has to name its columns right: %s', (header, words) => {
    const problems = problemsOf(header)
    expect(problems).toHaveLength(words.length)
    for (const part of words) expect(problems.some((problem) => problem.startsWith(part))).toBe(true)
  })

  test('has at most a hundred problems to read', () => {
    const problems = problemsOf('name,arrival_s', ...Array.from({ length: 500 }, (_, index) => `a${index},x`))
    expect(problems).toHaveLength(101)
    expect(problems.at(-1)).toContain('There are 400 more problems after these.')
  })
})
