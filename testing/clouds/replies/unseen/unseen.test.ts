import { expect, test } from 'vitest'
import { createdBy } from '../../../../src/core/life/call/fault.ts'
import { CLASSIFIERS } from '../../../../src/providers/replies.ts'
import { ec2 } from '../forms.ts'
import { UNSEEN_REPLIES } from './first.ts'
import { FOURTH_ROUND } from './fourth.ts'
import { HELD_OUT } from './held-out.ts'
import { NINTH_ROUND } from './ninth.ts'
import { SECOND_ROUND } from './second.ts'
import { TENTH_ROUND } from './tenth.ts'
import { THIRD_ROUND } from './third.ts'

for (const [kind, about, status, body, means, type] of [
  ...UNSEEN_REPLIES,
  ...SECOND_ROUND,
  ...THIRD_ROUND,
  ...FOURTH_ROUND,
  ...HELD_OUT,
  ...NINTH_ROUND,
  ...TENTH_ROUND,
]) {
  test(`${kind}: ${about} (${status})`, () => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const meaning = (headers: Readonly<Record<string, string>>): string => {
      const fault = CLASSIFIERS[kind]?.({ operation: 'create', status, headers, body: text })
      if (fault === undefined) throw new Error(`${kind} does not classify`)
      return `${fault.class} ${createdBy(fault)}`
    }
    // The command has no header to go by.
    expect([meaning(type === undefined ? {} : { 'content-type': type }), meaning({})]).toEqual([means, means])
  })
}

test('a machine that AWS does not list yet is read again, and its end is told wherever it is', () => {
  const told = (status: number, body: string) => {
    const fault = CLASSIFIERS['aws']?.({ operation: 'describe', status, headers: {}, body })
    return fault && `${fault.class} ${createdBy(fault)}`
  }
  expect(told(400, ec2('InvalidInstanceID.NotFound', "The instance ID 'i-0abc' does not exist"))).toBe('TRANSIENT no')
  const ended = [{ InstanceId: 'i-0abc', StateReason: { Code: 'Client.InternalError', Message: 'on launch' } }]
  expect(told(200, JSON.stringify({ Instances: ended }))).toBe('TRANSIENT yes')
})

test('there are many of them, of each kind', () => {
  expect(UNSEEN_REPLIES.length).toBeGreaterThanOrEqual(60)
  expect(SECOND_ROUND.length).toBeGreaterThanOrEqual(100)
  expect(FOURTH_ROUND.length).toBeGreaterThanOrEqual(120)
  for (const round of [UNSEEN_REPLIES, SECOND_ROUND, THIRD_ROUND, FOURTH_ROUND]) {
    expect(new Set(round.map(([kind]) => kind))).toEqual(new Set(Object.keys(CLASSIFIERS)))
  }
})
