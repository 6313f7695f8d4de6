import { expect, test } from 'vitest'
import { complaintsIn } from './conditions.ts'

test.each([
  ['GpuXidError', 'True'],
  ['GpuMemWatch', 'True'],
  ['SysLogsGPUFallenOff', 'True'],
  ['UnhealthyNvidiaDevicePlugin', 'True'],
  ['FabricManagerNotRunning', 'True'],
  ['example.org/GpuDegraded', 'True'],
  ['HardwareFailure', 'True'],
  ['CorruptDockerOverlay2', 'True'],
  ['InfinibandLinkDown', 'True'],
  ['NeuronHealth', 'True'],
  ['VMEventScheduled', 'True'],
  ['OutOfDisk', 'True'],
  ['UnderMaintenance', 'True'],
  ['DrainInProgress', 'True'],
  ['GracefulNodeShutdownInProgress', 'True'],
  ['NodeHealthy', 'False'],
  ['NPUHealthy', 'False'],
  ['GpuHealthCheckPassed', 'False'],
  ['NoGpuErrors', 'False'],
  ['NvidiaDriverInstalled', 'False'],
  ['GpuHealthy', 'True and False'],
])('%s is %s: something is wrong', (type, status) => {
  expect(complaintsIn(new Map([[type, status]]))).toEqual({
    bad: [`Condition ${type} is ${status}.`],
    unsure: [],
  })
})

test.each([
  ['GpuXidError', 'False'],
  ['GpuHealthCheckPassed', 'True'],
  ['NoGpuErrors', 'True'],
  ['NeuronHealth', 'False'],
  ['NvidiaDriverInstalled', 'True'],
  ['MIGSupportedByGPU', 'False'],
  ['EtcdIsVoter', 'True'],
  ['DeprecatedSettingsInContainerd', 'True'],
  ['InputDataCached', 'True'],
  ['BackupAgentReady', 'True'],
])('%s is %s: nothing is wrong', (type, status) => {
  expect(complaintsIn(new Map([[type, status]]))).toEqual({ bad: [], unsure: [] })
})

test.each([
  ['GpuHealthy', 'Unknown'],
  ['KernelDeadlock', 'Unknown'],
  ['GpuHealth', 'True'],
  ['GpuIdle', 'True'],
  ['GpuHealth', 'False'],
  ['BackupAgentReady', 'False'],
])('%s is %s: who knows', (type, status) => {
  expect(complaintsIn(new Map([[type, status]]))).toEqual({
    bad: [],
    unsure: [`Condition ${type} is ${status}.`],
  })
})
