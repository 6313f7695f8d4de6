import { describe, expect, test } from 'vitest'
import { identityOf, isIdentityOf } from '../../core/life/identity.ts'
import { job, service, workloadOf } from '../../core/life/keep.suite.ts'
import type { Workload } from '../../core/life/workload.ts'
import { merged, type ApplyAsk } from './merge.ts'

const TEXT = job()
const NOW = workloadOf(TEXT)
/** As a version read the text that gave jobs no limit of restarts, and knew a key less. */
const { spread: _spread, ...manifest } = { ...NOW.manifest, restart: { class: 'training' as const, max: undefined } }
// A row of that version: its key is missing on purpose.
const BEFORE = { ...NOW, manifest: manifest as unknown as typeof NOW.manifest }

function applied(text: string, reading = workloadOf(text).manifest) {
  const input: ApplyAsk = { project: 'default', text, file: 'm.yaml', pinned: undefined }
  return merged(BEFORE, reading, { ...input, nowMs: 7 })
}

test('the same text asks for the same, whatever this version reads into what it leaves out', () => {
  expect(applied(TEXT)).toEqual(BEFORE)
})

describe('with the replicas that there are now', () => {
  const keep = { project: 'default', file: 'm.yaml', pinned: undefined, nowMs: 7, keepReplicas: true } as const
  const from = (before: Workload, text: string) => merged(before, workloadOf(text).manifest, { ...keep, text })
  const [three, other] = [service(3), service(1, 'env: { A: b }\n')]

  test('another manifest changes what runs, and not how many', () => {
    expect(from(workloadOf(three), other).scale).toEqual({ '': 3 })
    expect(from(workloadOf(three, { scale: { '': 5 } }), other).scale).toEqual({ '': 5 })
    // A number that the manifest states itself is not one that was set by hand.
    expect(from(workloadOf(three, { scale: { '': 1 } }), other).scale).toEqual({})
  })

  test('roles keep theirs, and a role that comes back has what its manifest says', () => {
    const head = 'berth: v1\nkind: service\nname: a\nimage: x\nresources: {}\n'
    const one = `${head}roles: { prefill: { replicas: 2 } }\n`
    const two = `${head}roles: { prefill: { replicas: 4 }, decode: { replicas: 3 } }\n`
    expect(from(workloadOf(one), two).scale).toEqual({ prefill: 2 })
    expect(from(workloadOf(one), three).scale).toEqual({})
  })

  test('a job has none', () => {
    expect(from(workloadOf(job('completions: 3\n')), job()).scale).toEqual({})
  })
})

test('another text is taken as it is read now, and replaces nothing that it does not change', () => {
  const next = applied(`${TEXT}# A comment.\n`)
  expect(next.generation).toBe(BEFORE.generation + 1)
  expect(next.manifest.restart.max).toBeDefined()
  expect(isIdentityOf(identityOf(BEFORE.manifest, undefined), next.manifest, undefined)).toBe(true)
})
