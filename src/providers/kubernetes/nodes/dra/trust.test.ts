import { expect, test } from 'vitest'
import { device, slice } from '../make.suite.ts'
import { deviceNotes } from './trust.ts'

const CARDS = [0, 1].map((at) => device(`gpu-${at}`, { type: 'gpu', uuid: `GPU-${at}` }))
const SLICE = device('m', { type: 'mig', profile: '3g.20gb', parentUUID: 'GPU-0' })
const OLD = { major: 1, minor: 35 }
const NEW = { major: 1, minor: 36 }

test('a cluster without cards has nothing to say', () => {
  expect(deviceNotes([], OLD)).toEqual([])
  expect(deviceNotes([slice([device('channel-0', { type: 'channel' })])], OLD)).toEqual([])
})

test('a cluster of today is taken at its word', () => {
  expect(deviceNotes([slice([...CARDS, SLICE])], NEW)).toEqual(['2 cards of 1 node can be had by claims.'])
  expect(deviceNotes([slice(CARDS)], { major: 2, minor: 0 })).toHaveLength(1)
})

test('an older one may have dropped taints, and counters where there are slices', () => {
  const [, taints, ...others] = deviceNotes([slice(CARDS)], OLD)
  expect(taints).toContain('Kubernetes 1.35 drops taints of devices')
  expect(others).toEqual([])
  expect(deviceNotes([slice([...CARDS, SLICE])], OLD)[2]).toContain('drops their counters')
  expect(deviceNotes([slice(CARDS)], undefined)[1]).toContain('A cluster before 1.36 drops taints')
})

test('what is there was not dropped', () => {
  const kept = [
    device('gpu-0', { type: 'gpu', uuid: 'GPU-0', taint: 'NoSchedule', counters: 'set-0' }),
    device('m', { type: 'mig', profile: '3g.20gb', counters: 'set-0' }),
  ]
  expect(deviceNotes([slice(kept)], OLD)).toEqual(['1 card of 1 node can be had by claims.'])
})
