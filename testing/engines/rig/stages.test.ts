import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseAllDocuments, stringify } from 'yaml'
import { stagesOf } from './stages.ts'

const JOBS = { key: '.metadata.ownerReferences.[].kind', operator: 'In', values: ['Job'] }

/** A module of KWOK with some stages, as far as they are changed. */
function moduleOf(complete: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'berth-stages-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const name of ['node-fast', 'node-heartbeat', 'pod-fast']) mkdirSync(join(folder, name))
  const stage = (name: string, statusTemplate: string) =>
    stringify({ metadata: { name }, spec: { selector: { matchExpressions: [JOBS] }, next: { statusTemplate } } })
  writeFileSync(join(folder, 'pod-fast/kustomization.yaml'), 'resources: []\n')
  writeFileSync(join(folder, 'pod-fast/pod-complete.yaml'), stage('pod-complete', complete))
  writeFileSync(join(folder, 'pod-fast/pod-delete.yaml'), stage('pod-delete', ''))
  writeFileSync(join(folder, 'node-fast/node-initialize.yaml'), stage('node-initialize', 'phase: Running'))
  return folder
}

test('a pod ends when it is told to, whoever owns it, with the code it is told', () => {
  const folder = moduleOf('exitCode: 0\nreason: Completed\nphase: Succeeded')
  const [initialize, complete] = parseAllDocuments(stagesOf(folder)).map((document) => document.toJS())
  expect(initialize).toMatchObject({
    metadata: { name: 'node-initialize' },
    spec: { selector: { matchExpressions: [JOBS] } },
  })
  expect(complete.spec.selector.matchExpressions).toEqual([
    { key: '.metadata.annotations["berth.test/exit-code"]', operator: 'Exists' },
  ])
  expect(complete.spec.next.statusTemplate).not.toMatch(/exitCode: 0|reason: Completed|phase: Succeeded/)
})

test('a module whose stages read otherwise is not taken for changed', () => {
  expect(() => stagesOf(moduleOf('exitCode: 0\nphase: Succeeded'))).toThrow('has no "reason: Completed"')
})

test('a deleted pod goes only when it is over, and is over first', () => {
  const folder = moduleOf('exitCode: 0\nreason: Completed\nphase: Succeeded')
  const stages = parseAllDocuments(stagesOf(folder)).map((document) => document.toJS())
  const [goes, ends] = ['pod-delete', 'pod-ends'].map((name) => stages.find(({ metadata }) => metadata.name === name))
  const phase = { key: '.status.phase', values: ['Succeeded', 'Failed'] }
  const deleted = { key: '.metadata.deletionTimestamp', operator: 'Exists' }
  expect(goes.spec.selector.matchExpressions).toEqual([deleted, { ...phase, operator: 'In' }])
  expect(ends.spec.selector.matchExpressions).toEqual([deleted, { ...phase, operator: 'NotIn' }])
  expect(ends.spec.next.statusTemplate).toContain('phase: Failed')
})
