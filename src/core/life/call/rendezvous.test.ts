import { describe, expect, test } from 'vitest'
import { GANG_PORTS, gangVariables, meetingOf } from './rendezvous.ts'

const GATHERING = { project: 'default', workload: 'train', group: '0', provider: 'here', nodes: 2 }
const ALONE = { taken: new Set<number>(), chance: 0.5 }

describe('members of a gang', () => {
  test('on one host meet at its loopback address, at a port that no other gang there has', () => {
    const first = meetingOf({ kind: 'host' }, GATHERING, ALONE)
    const next = meetingOf({ kind: 'host' }, GATHERING, { ...ALONE, taken: new Set([first.port]) })
    expect(first.hosts).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(next.port).not.toBe(first.port)
    for (const chance of [0, 0.999_999, 1]) {
      const { port } = meetingOf({ kind: 'host' }, GATHERING, { ...ALONE, chance })
      expect(port >= GANG_PORTS.from && port <= GANG_PORTS.to).toBe(true)
    }
  })

  test('on machines that have names meet at the name of the first', () => {
    const meeting = meetingOf({ kind: 'names', pattern: '{workload}-{group}-{rank}.{provider}' }, GATHERING, ALONE)
    expect(meeting.hosts).toEqual(['train-0-0.here', 'train-0-1.here'])
    expect(gangVariables(1, 2, meeting)).toMatchObject({
      MASTER_ADDR: 'train-0-0.here',
      MASTER_PORT: '29500',
      RANK: '1',
      WORLD_SIZE: '2',
      PET_NODE_RANK: '1',
      BERTH_HOSTS: 'train-0-0.here,train-0-1.here',
    })
  })
})
