import { describe, expect, test } from 'vitest'
import { healthOf } from './health.ts'
import { taintKind } from './health/taints.ts'
import { readNodeObject } from './object/node-object.ts'
import { node, type MadeNode } from './make.suite.ts'

function healthy(made: MadeNode) {
  const read = readNodeObject(node(made))
  if (typeof read === 'string') throw new Error(read)
  return healthOf(read)
}

describe('the health of a node', () => {
  test.each<[MadeNode, boolean | undefined, string]>([
    [{}, true, ''],
    [{ conditions: { Ready: 'False' } }, false, 'condition Ready is False'],
    [{ conditions: { Ready: 'Unknown' } }, false, 'condition Ready is Unknown'],
    [{ conditions: false }, undefined, 'no Ready'],
    [{ conditions: { DiskPressure: 'True' } }, false, 'DiskPressure'],
    [{ conditions: { DiskPressure: 'False' } }, true, ''],
    [{ conditions: { GPUMissing: 'True' } }, false, 'GPUMissing'],
    [{ conditions: { GpuHealthy: 'True' } }, true, ''],
    [{ conditions: { GpuHealthy: 'False' } }, false, 'GpuHealthy'],
    [{ conditions: { AcceleratedHardwareReady: 'False' } }, false, 'AcceleratedHardwareReady'],
    [{ conditions: { GpuUnhealthy: 'True' } }, false, 'GpuUnhealthy is True'],
    [{ conditions: { GpuUnhealthy: 'False' } }, true, ''],
    [{ conditions: { GPUNotReady: 'True' } }, false, 'GPUNotReady'],
    [{ conditions: { GPUUnavailable: 'True' } }, false, 'GPUUnavailable'],
    [{ conditions: { KubeletUnhealthy: 'True' } }, false, 'KubeletUnhealthy'],
    [{ conditions: { FilesystemProblem: 'True' } }, false, 'FilesystemProblem'],
    [{ conditions: { FilesystemProblem: 'False' } }, true, ''],
    [{ conditions: { XIDErrors: 'True' } }, false, 'XIDErrors'],
    [{ spec: { unschedulable: true } }, false, 'spec.unschedulable'],
    [{ spec: { unschedulable: 'true' } }, false, 'spec.unschedulable'],
    [{ spec: { unschedulable: null } }, true, ''],
    [{ spec: { taints: { key: 'a', effect: 'NoSchedule' } } }, undefined, 'spec.taints cannot be read'],
    [{ spec: { taints: ['a:NoSchedule'] } }, undefined, 'spec.taints cannot be read'],
    [{ spec: { taints: null } }, true, ''],
    [{ taints: ['ToBeDeletedByClusterAutoscaler=1:NoSchedule'] }, false, 'ToBeDeletedByClusterAutoscaler'],
    [{ taints: ['karpenter.sh/disrupted:NoSchedule'] }, false, 'karpenter.sh/disrupted'],
    [{ taints: ['node.cilium.io/agent-not-ready:NoExecute'] }, false, 'agent-not-ready'],
    [{ taints: ['node-role.kubernetes.io/control-plane:NoSchedule'] }, false, 'control plane'],
    [{ taints: ['dedicated=team-x:NoSchedule'] }, true, 'must tolerate taint dedicated'],
    [{ taints: ['dedicated=team-x:PreferNoSchedule'] }, true, ''],
    [{ labels: { 'kubernetes.io/os': 'windows' } }, false, 'Windows'],
    [{ info: { architecture: 'arm64' } }, true, 'arm64'],
    [
      { labels: { 'sagemaker.amazonaws.com/node-health-status': 'UnschedulablePendingReboot' } },
      false,
      'PendingReboot',
    ],
    [{ labels: { 'sagemaker.amazonaws.com/node-health-status': 'Schedulable' } }, true, ''],
  ])('%j', (made, usable, why) => {
    const health = healthy(made)
    expect(health.usable).toBe(usable)
    expect(health.why.join(' ')).toContain(why)
    if (why === '') expect(health.why).toEqual([])
  })

  test.each(['True', 'False'])('a condition that comes twice, %s last, is not taken for well', (last) => {
    const both = ['True', 'False'].toSorted((one) => (one === last ? 1 : -1))
    const conditions = both.map((status) => ({ type: 'Ready', status }))
    const read = readNodeObject({ ...node(), status: { conditions } })
    expect(typeof read === 'string' ? read : healthOf(read)).toMatchObject({ usable: false, isDown: true })
  })

  test('a node that goes is down; one that is cordoned is only closed', () => {
    expect(healthy({ taints: ['node.kubernetes.io/unreachable:NoExecute'] }).isDown).toBe(true)
    expect(healthy({ taints: ['node.kubernetes.io/unschedulable:NoSchedule'] })).toMatchObject({
      isDown: false,
      usable: false,
    })
  })

  test.each([
    ['nvidia.com/gpu', undefined, 'accelerator'],
    ['sku', 'gpu', 'accelerator'],
    ['dedicated', 'gpu', 'accelerator'],
    ['google.com/tpu', 'present', 'accelerator'],
    ['gpupool', undefined, 'foreign'],
    ['team', 'amdahl', 'foreign'],
    ['node.kubernetes.io/memory-pressure', undefined, 'trouble'],
    ['gpu-broken', undefined, 'trouble'],
    ['nvidia.com/gpu', 'failed', 'trouble'],
    ['nvidia.com/gpu', 'upgrading', 'trouble'],
    ['example.org/RemediateNode', undefined, 'trouble'],
    ['AggregatedNodeHealth', 'False', 'trouble'],
    ['weave.works/kured-node-reboot', undefined, 'trouble'],
    ['out-of-order', undefined, 'trouble'],
    ['CriticalAddonsOnly', 'true', 'foreign'],
    ['example.org/node-health', 'Unschedulable', 'trouble'],
    ['example.org/maintenance', undefined, 'trouble'],
    ['fault-tolerant', 'yes', 'foreign'],
    ['purpose', 'failover', 'foreign'],
  ])('taint %s=%s', (key, value, kind) => {
    expect(taintKind({ key, value, effect: 'NoSchedule' })).toBe(kind)
  })
})
