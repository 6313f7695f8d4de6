import { describe, expect, test } from 'vitest'
import { job, service, workloadOf } from './keep.suite.ts'
import { groupOf, partOf, slotCount, slotsWanted } from './slots.ts'
import { cpuMs } from '../base/cpu.suite.ts'

const ROLES = `berth: v1
name: demo
image: a/b:1
kind: service
env: { COMMON: "1" }
roles:
  prefill: { replicas: 2, resources: { gpu: { count: 2 } }, env: { MINE: "2" } }
  decode: { resources: { gpu: { count: 1 } } }
`

function names(text: string, change: Parameters<typeof workloadOf>[1] = {}): readonly string[] {
  return slotsWanted(workloadOf(text, change)).map(({ slot }) => slot)
}

describe('slots', () => {
  test('are one for each replica, machine of a gang, and replica of a role', () => {
    expect(names(service(3))).toEqual(['0', '1', '2'])
    expect(names(job())).toEqual(['0'])
    expect(names(job('nodes: 2\n'))).toEqual(['0.0', '0.1'])
    expect(names(ROLES)).toEqual(['prefill-0', 'prefill-1', 'decode-0'])
  })

  test('follow the scale that was set, by role', () => {
    expect(names(service(3), { scale: { '': 1 } })).toEqual(['0'])
    expect(names(ROLES, { scale: { prefill: 0, decode: 2 } })).toEqual(['decode-0', 'decode-1'])
    expect(names(service(3), { scale: { other: 9 } })).toHaveLength(3)
  })

  test('are none when it is to be stopped or removed', () => {
    expect([names(service(2), { want: 'stopped' }), names(service(2), { want: 'removed' })]).toEqual([[], []])
  })

  test('are counted without being made, however many a row says', () => {
    const many = workloadOf(ROLES)
    const all = [workloadOf(service(3)), workloadOf(job('nodes: 2\n')), many]
    for (const workload of all) expect(slotCount(workload)).toBe(slotsWanted(workload).length)
    const roles = Array.from({ length: 1000 }, (_, at) => ({ ...many.manifest, name: `r${at}`, reserve: undefined }))
    const poison = {
      ...many,
      manifest: { ...many.manifest, roles },
      scale: Object.fromEntries(roles.map(({ name }) => [name, 10_000])),
    }
    const startMs = cpuMs()
    expect(slotCount(poison)).toBe(10_000_000)
    expect(cpuMs() - startMs).toBeLessThan(50)
  })

  test('know their group', () => {
    for (const { slot, group } of slotsWanted(workloadOf(ROLES))) expect(groupOf(slot)).toBe(group)
    expect(['0', '0.3', 'decode-1', 'decode-1.12'].map(groupOf)).toEqual(['0', '0', 'decode-1', 'decode-1'])
  })

  test('run what their role says, or the workload', () => {
    const { manifest } = workloadOf(ROLES)
    expect(partOf(manifest, 'prefill').env).toMatchObject({ MINE: '2' })
    expect(partOf(manifest, 'decode').resources.gpu?.count).toBe(1)
    expect(partOf(workloadOf(service()).manifest, undefined).resources.gpu?.count).toBe(2)
  })
})
