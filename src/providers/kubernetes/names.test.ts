import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../core/base/laws.suite.ts'
import { labelsOf, labelValue, nameOf, readTag, TAG_ANNOTATION, writeTag } from './names.ts'

const TAG = {
  owner: 'o1',
  project: 'p',
  workload: 'w',
  uid: 'u_1.2:3',
  slot: 'prefill/node-0.12',
  epoch: 7,
  attempt: 'a',
}

test('the name of an attempt is a DNS label, its own, and always the same', () => {
  expect(nameOf('0mwji67ma0000f5fa9acb7199')).toBe('berth-0mwji67ma0000f5fa9acb7199')
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      expect(nameOf(one)).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/)
      expect(nameOf(one) === nameOf(two)).toBe(one === two)
    }),
    cases(2000),
  )
})

test('the value of a label can be one, and is the text itself where that can be', () => {
  expect(labelValue('research-and-development')).toBe('research-and-development')
  expect(labelValue('prefill/node-0.12')).toMatch(/^prefill-node-0\.12\.[0-9a-f]{16}$/)
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, two) => {
      expect(labelValue(one)).toMatch(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/)
      expect(labelValue(one) === labelValue(two)).toBe(one === two)
    }),
    cases(2000),
  )
})

test('a tag is read as it was written, whatever labels make of it', () => {
  expect(readTag({ [TAG_ANNOTATION]: writeTag(TAG) })).toEqual(TAG)
  for (const value of Object.values(labelsOf(TAG))) expect(value).toMatch(/^[\w.-]{1,63}$/)
})

test.each([undefined, {}, { [TAG_ANNOTATION]: '' }, { [TAG_ANNOTATION]: '{"owner":"o"}' }, { [TAG_ANNOTATION]: '[]' }])(
  '%j has no tag',
  (annotations) => {
    expect(readTag(annotations)).toBeUndefined()
  },
)
