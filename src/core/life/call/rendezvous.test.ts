import { describe, expect, test } from 'vitest'
import { GANG_PORTS, gangVariables, meetingOf } from './rendezvous.ts'

const GATHERING = { owner: 'o1', project: 'default', workload: 'train', group: '0', provider: 'here', nodes: 2 }
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

  test('meet under a short word of their own where names must be short', () => {
    const pattern = 'r{rank}.berth-{gang}.ml.svc'
    const hostsOf = (change: Partial<typeof GATHERING>): readonly string[] =>
      meetingOf({ kind: 'names', pattern }, { ...GATHERING, ...change }, ALONE).hosts
    const [first, second] = hostsOf({})
    expect(first).toMatch(/^r0\.berth-[a-z0-9]{13}\.ml\.svc$/)
    expect(second).toBe(first?.replace('r0', 'r1'))
    expect(hostsOf({ workload: 'x'.repeat(63) })[0]?.length).toBe(first?.length)
    const others = [{ owner: 'o2' }, { project: 'p' }, { workload: 'w' }, { group: '1' }, { provider: 'p' }]
    expect(new Set([{}, ...others].map((change) => hostsOf(change)[0])).size).toBe(6)
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
