import { expect, test } from 'vitest'
import { MAIN } from './names.ts'
import { readPod, type SeenPod } from './read/pod.ts'
import { DELETED, pod, terminated } from './read/pods.suite.ts'
import { sweepable } from './sweep.ts'

function seen(value: unknown): SeenPod {
  const read = readPod(value, MAIN)
  if (read === undefined) throw new Error('it is no pod')
  return read
}

const STOPPED = seen(pod({ metadata: { ...DELETED, deletionGracePeriodSeconds: 0 } }))
const ENDED = seen(pod({ status: { phase: 'Succeeded', containerStatuses: terminated({ exitCode: 0 }) } }))
const at = (text: string): number => Date.parse(text)

test('the name of a stopped attempt is kept for an hour, and one that ended by itself for a day', () => {
  expect(sweepable([STOPPED, ENDED], at('2026-11-17T11:30:29Z'))).toEqual([])
  expect(sweepable([STOPPED, ENDED], at('2026-11-17T11:30:31Z'))).toEqual([STOPPED])
  expect(sweepable([STOPPED, ENDED], at('2026-11-18T11:00:01Z'))).toEqual([STOPPED, ENDED])
})

test('what runs, what others hold and what is too much at once stays', () => {
  const later = at('2027-01-01T00:00:00Z')
  const others = seen(pod({ metadata: { ...DELETED, deletionGracePeriodSeconds: 0, finalizers: ['other'] } }))
  expect(sweepable([seen(pod()), seen(pod({ metadata: DELETED })), others], later)).toEqual([])
  expect(
    sweepable(
      Array.from({ length: 50 }, () => STOPPED),
      later,
    ),
  ).toHaveLength(20)
})
