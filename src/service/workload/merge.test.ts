import { expect, test } from 'vitest'
import { identityOf, isIdentityOf } from '../../core/life/identity.ts'
import { job, workloadOf } from '../../core/life/keep.suite.ts'
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

test('another text is taken as it is read now, and replaces nothing that it does not change', () => {
  const next = applied(`${TEXT}# A comment.\n`)
  expect(next.generation).toBe(BEFORE.generation + 1)
  expect(next.manifest.restart.max).toBeDefined()
  expect(isIdentityOf(identityOf(BEFORE.manifest, undefined), next.manifest, undefined)).toBe(true)
})
