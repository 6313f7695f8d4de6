import { describe, expect, test } from 'vitest'
import { readFleetFile } from './fleet-file.ts'

const HEADER = 'sn,cpu_milli,memory_mib,gpu,model'

function read(rows: readonly string[], header = HEADER): ReturnType<typeof readFleetFile> {
  return readFleetFile(`${[header, ...rows].join('\n')}\n`, 'nodes.csv')
}

function problemsIn(rows: readonly string[], header = HEADER): readonly string[] {
  const answer = read(rows, header)
  if (!('problems' in answer)) return []
  return answer.problems.map(({ place, code, found, message }) => `${place?.line} ${code} ${found ?? '-'} ${message}`)
}

describe('an openb node list', () => {
  test('is a fleet of shared cards under the names its owner has for them', () => {
    const share = { health: undefined, parts: 'share' }
    expect(read(['openb-node-0000,64000,262144,2,P100', 'openb-node-0001,96000,786432,0,'])).toEqual({
      fleet: {
        nodes: [
          {
            id: 'openb-node-0000',
            model: 'P100',
            cpuMilli: 64_000,
            memoryMib: 262_144,
            diskMib: undefined,
            cards: [share, share],
            layout: undefined,
            domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
          },
          expect.objectContaining({ id: 'openb-node-0001', model: undefined, cards: [] }),
        ],
      },
      tenants: [],
      warnings: [],
    })
  })

  test('is known by its columns, whatever the file is called and however they are sorted', () => {
    const text = 'model,gpu,sn,memory_mib,cpu_milli,note\r\nT4,1,a,1024,2000,x\r\n'
    expect(readFleetFile(text, '-')).toMatchObject({
      fleet: { nodes: [{ id: 'a', model: 'T4', cpuMilli: 2000, memoryMib: 1024, cards: [{}] }] },
    })
  })

  test('shares what is the same on many nodes', () => {
    const answer = read(['a,1,1,8,G2', 'b,1,1,8,G3'])
    const [one, two] = 'fleet' in answer ? answer.fleet.nodes : []
    expect(two?.cards).toBe(one?.cards)
  })

  test('is told everything that is wrong with it, by line', () => {
    expect(
      problemsIn(['a,1,1,1,T4', 'a,1,1,1,T4', ',1,1,1,T4', 'b,x,1,1,T4', 'c,1,1', 'd,1,1,9999,T4', 'e,1,-2,1,T4']),
    ).toEqual([
      '3 KEY_REPEATED a There is already a node a.',
      '4 KEY_MISSING - `sn` is empty.',
      '5 VALUE_TYPE x `cpu_milli` is not a whole number.',
      '6 VALUE_INVALID - 3 fields under 5 columns.',
      '7 VALUE_RANGE 9999 The number must be at most 1024.',
      '8 VALUE_TYPE -2 `memory_mib` is not a whole number.',
    ])
  })

  test('that is another table is told which columns it misses', () => {
    expect(problemsIn([], 'sn,cpu,memory_mib,gpu,model')).toEqual([
      '1 KEY_MISSING - A table of nodes has the columns sn,cpu_milli,memory_mib,gpu,model; missing: cpu_milli.',
    ])
  })
})
