import { describe, expect, test } from 'vitest'
import { job, service, workloadOf } from './keep.suite.ts'
import { groupOf, partOf, shapeOf, slotCount, slotsWanted } from './slots.ts'
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

function shape(text: string, role?: string): string {
  return shapeOf(workloadOf(text).manifest, role)
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

describe('the shape of a slot', () => {
  const BASE = service(1, 'env: { A: "1", B: "2" }\n')

  test('stays when only how many, where, or how long is asked changes', () => {
    expect(shape(service(4, 'env: { B: "2", A: "1" }\n'))).toBe(shape(BASE))
    const other = 'env: { A: "1", B: "2" }\npolicy: cheap\nspread: provider\nmigration: { on: [drain] }\n'
    expect(shape(service(1, other))).toBe(shape(BASE))
  })

  test.each([
    ['image', BASE.replace('app:1', 'app:2')],
    ['environment', BASE.replace('B: "2"', 'B: "3"')],
    ['cards', BASE.replace('count: 2', 'count: 1')],
    ['command', `${BASE}command: [run]\n`],
    ['arguments', `${BASE}args: [fast]\n`],
    ['ports', `${BASE}ports: [{ name: http, port: 80 }]\n`],
    ['secrets', `${BASE}secrets: [TOKEN]\n`],
    ['storage', `${BASE}storage: [{ mount: /data, size: 10Gi }]\n`],
  ])('changes with its %s', (_, text) => {
    expect(shape(text)).not.toBe(shape(BASE))
  })

  test('is that of its own role', () => {
    const other = ROLES.replace('MINE: "2"', 'MINE: "3"')
    expect(shape(other, 'prefill')).not.toBe(shape(ROLES, 'prefill'))
    expect(shape(other, 'decode')).toBe(shape(ROLES, 'decode'))
  })
})
