import type { Instance } from '@aws-sdk/client-ec2'
import { expect, test } from 'vitest'
import { noteParts } from '../cloud/note.ts'
import { NOTE } from './launch.ts'
import { machineId, machineOf, readMachineId } from './machines.ts'
import { startOf } from './make.suite.ts'

const { note } = startOf({ ports: [{ name: 'http', port: 8000, health: '/', expose: 'public' }] })

const INSTANCE: Instance = {
  InstanceId: 'i-0123456789abcdef0',
  State: { Code: 16, Name: 'running' },
  PublicIpAddress: '54.1.2.3',
  PrivateIpAddress: '172.31.0.4',
  Tags: [
    { Key: 'Name', Value: 'berth-x-a1' },
    ...noteParts(note, 60).map((Value, index) => ({ Key: `${NOTE}${index}`, Value })),
  ],
}

const read = (change: Partial<Instance> = {}, code?: string, reach: 'public' | 'private' = 'public') =>
  machineOf(
    { ...INSTANCE, ...change },
    {
      region: 'us-east-1',
      request: code === undefined ? undefined : { Status: { Code: code, UpdateTime: new Date(1_000_000) } },
      settings: { reach },
    },
  )

test('a machine is named with its region, has its note, and is reached by the address that was chosen', () => {
  expect(read()).toMatchObject({ id: 'us-east-1/i-0123456789abcdef0', name: 'berth-x-a1', note, state: 'up' })
  expect(read().ports?.get(8000)).toEqual({ host: '54.1.2.3', port: 8000, tls: false })
  expect(read({}, undefined, 'private').address).toBe('172.31.0.4')
  expect(readMachineId(machineId('us-east-1', 'i-0123456789abcdef0'))).toEqual({
    region: 'us-east-1',
    id: 'i-0123456789abcdef0',
  })
  expect(readMachineId('i-0123456789abcdef0')).toBeUndefined()
})

test.each([
  ['pending', 'starting'],
  ['running', 'up'],
  ['shutting-down', 'unclear'],
  ['terminated', 'ended'],
  ['stopped', 'ended'],
  ['rehydrating', 'unclear'],
])('%s is %s', (name, state) => {
  // Proven: EC2 may add a state next year.
  expect(read({ State: { Name: name as 'running' } }).state).toBe(state)
})

test('the notice of a spot machine is told with its time', () => {
  expect(read({}, 'marked-for-termination').endsAtMs).toBe(1_120_000)
  expect(read({}, 'fulfilled').endsAtMs).toBeUndefined()
})

test.each([
  ['Server.SpotInstanceTermination', { kind: 'preempted' }],
  ['Server.InsufficientInstanceCapacity', { kind: 'start', why: 'Server.InsufficientInstanceCapacity: x' }],
  ['Client.InternalError', { kind: 'start', why: 'Client.InternalError: x' }],
  ['Server.InternalError', { kind: 'machine' }],
  ['Client.UserInitiatedShutdown', undefined],
])('%s', (Code, exit) => {
  expect(read({ State: { Name: 'terminated' }, StateReason: { Code, Message: 'x' } }).exit).toEqual(exit)
})

test('a machine whose tags were damaged still has its name', () => {
  expect(read({ Tags: [{ Key: 'Name', Value: 'berth-x-a1' }] })).toMatchObject({ name: 'berth-x-a1', note: undefined })
})
