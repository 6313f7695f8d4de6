import { expect, test } from 'vitest'
import { node } from '../make.suite.ts'
import { readNodeObject, type NodeObject } from '../object/node-object.ts'
import { troubleMarks, unsureMarks } from './marks.ts'

function labelled(key: string, value: string): NodeObject {
  const read = readNodeObject(node({ labels: { [key]: value } }))
  if (typeof read === 'string') throw new Error(read)
  return read
}

const UPGRADE = 'nvidia.com/gpu-driver-upgrade-state'
const MIG = 'nvidia.com/mig.config.state'

test.each([
  [UPGRADE, 'drain-required'],
  [UPGRADE, 'pod-restart-required'],
  [UPGRADE, 'upgrade-failed'],
  ['nvidia.com/gpu.deploy.device-plugin', 'paused-for-driver-upgrade'],
  ['example.org/nvsentinel-state', 'quarantined'],
  ['example.org/gpu.0.state', 'unhealthy'],
  ['node-health', 'degraded'],
  ['gpu.healthy', 'false'],
  ['maintenance', 'true'],
  ['example.org/active-node-maintenance', 'ONGOING'],
  ['example.org/deep-health-check-status', 'InProgress'],
  ['example.org/fault-types', 'CardError'],
  ['gpu-remediation-required', 'true'],
])('label %s=%s: it is out of order', (key, value) => {
  expect([...troubleMarks(labelled(key, value))]).toEqual([`Label ${key} is ${value}.`])
})

test.each([
  [UPGRADE, 'upgrade-done'],
  [UPGRADE, 'upgrade-required'],
  [MIG, 'success'],
  ['nvidia.com/gpu.deploy.device-plugin', 'true'],
  ['gpu.healthy', 'true'],
  ['maintenance', 'false'],
  ['maintenance-window', 'sunday'],
  ['team', 'broken-links'],
  ['app.status', 'failed-over'],
  ['example.org/deep-health-check-status', 'Passed'],
])('label %s=%s: it is not', (key, value) => {
  expect([...troubleMarks(labelled(key, value)), ...unsureMarks(labelled(key, value))]).toEqual([])
})

test('what the operator leaves alone may have stopped half-way', () => {
  const { labels } = labelled(UPGRADE, 'pod-restart-required')
  const skipped = new Map([...labels, ['nvidia.com/gpu-driver-upgrade.skip', 'true']])
  expect([...troubleMarks({ ...labelled(UPGRADE, ''), labels: skipped })]).toEqual([])
})

test('slices that could not be cut leave it open', () => {
  expect([...unsureMarks(labelled(MIG, 'failed'))]).toHaveLength(1)
  expect([...troubleMarks(labelled(MIG, 'failed'))]).toEqual([])
})
