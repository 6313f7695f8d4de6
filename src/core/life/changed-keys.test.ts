import { describe, expect, test } from 'vitest'
import { changedKeys } from './changed-keys.ts'
import { placed, service, workloadOf } from './keep.suite.ts'
import { pastOf, type PastManifest, type Workload } from './workload.ts'

/** Applied four times; the newest manifest before it comes first. */
const WORKLOAD: Workload = {
  ...workloadOf(service()),
  generation: 5,
  past: [past(4, ['image', 'replicas']), past(2, ['env.MODEL', 'labels.team']), past(1, ['resources.gpu.min_vram'])],
}

function past(generation: number, keys?: readonly string[]): PastManifest {
  return { generation, text: '', atMs: 0, ...(keys && { keys }) }
}

function keysFor(generation: number | undefined, workload = WORKLOAD) {
  const { generation: _, ...slot } = placed(workload, '0', 'running')
  return changedKeys(workload, generation === undefined ? slot : { ...slot, generation }).keys
}

describe('the keys that changed since a slot was placed', () => {
  test('are those that decide what runs, of every manifest since, the oldest first', () => {
    expect(keysFor(4)).toBe('image')
    expect(keysFor(3)).toBe('image')
    expect(keysFor(2)).toBe('env.MODEL, image')
    expect(keysFor(1)).toBe('resources.gpu.min_vram, env.MODEL, image')
  })

  test('are left out where they are not known', () => {
    expect(keysFor(5)).toBeUndefined()
    expect(keysFor(undefined)).toBeUndefined()
    const older = { ...WORKLOAD, past: [past(4, ['image']), past(3)] }
    expect(keysFor(4, older)).toBe('image')
    expect(keysFor(2, older)).toBeUndefined()
    const long = { ...WORKLOAD, generation: 20, past: Array.from({ length: 10 }, (_, at) => past(19 - at, ['image'])) }
    expect(keysFor(12, long)).toBe('image')
    expect(keysFor(2, long)).toBeUndefined()
  })

  test('are left out where earlier manifests were too large to be remembered', () => {
    let workload: Workload = { ...workloadOf(service()), generation: 1, text: 'x'.repeat(60_000), past: [] }
    for (const key of ['image', 'env.A', 'env.B', 'labels.a', 'labels.b', 'labels.c', 'env.C']) {
      const past = pastOf(workload, { stood: undefined, keys: [key] })
      workload = { ...workload, past, generation: workload.generation + 1 }
    }
    expect(keysFor(1, workload)).toBeUndefined()
    expect(keysFor(7, workload)).toBe('env.C')
  })

  test('of a role are its own and those of the whole workload', () => {
    const text = 'berth: v1\nkind: service\nname: a\nimage: x\nresources: {}\nroles: { prefill: {}, decode: {} }\n'
    const keys = ['image', 'roles.prefill.args', 'roles.decode.env.A', 'roles.prefill.replicas']
    const workload = { ...workloadOf(text), generation: 2, past: [past(1, keys)] }
    const slot = { ...placed(workload, 'prefill-0', 'running'), generation: 1 }
    expect(changedKeys(workload, slot)).toEqual({ keys: 'image, roles.prefill.args' })
  })
})
