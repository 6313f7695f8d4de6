import { expect, test } from 'vitest'
import { inTurns, pricesIn } from './prices.ts'
import { quotaLeft, type AwsQuota } from './quotas.ts'
import { awsCredential } from './settings.ts'
import { leftBehind } from './sweep.ts'

const entry = (instanceType: string, USD: string, unit = 'Hrs'): string =>
  JSON.stringify({
    product: { attributes: { instanceType } },
    terms: { OnDemand: { 'A.B': { priceDimensions: { 'A.B.C': { unit, pricePerUnit: { USD } } } } } },
  })

test('prices are those of an hour; what cannot be read has none, and of two the higher one counts', () => {
  const entries = [
    entry('g6.xlarge', '0.8048000000'),
    entry('g6.xlarge', '0.9000000000'),
    entry('p5.48xlarge', '0.0000000000'),
    entry('g5.xlarge', '4', 'Quantity'),
    'nothing',
    { terms: {} },
  ]
  expect([...pricesIn(entries)]).toEqual([['g6.xlarge', 0.9]])
})

test('an entry is read as the SDK hands it over, too: a text in an object', () => {
  expect([...pricesIn([Object(entry('g6.xlarge', '0.8'))])]).toEqual([['g6.xlarge', 0.8]])
})

test('types are asked for in turns of so many letters', () => {
  expect(inTurns(['abc', 'de', 'f'], 6)).toEqual([['abc', 'de'], ['f']])
  expect(inTurns([])).toEqual([])
})

const QUOTAS: readonly AwsQuota[] = [
  { name: 'Running On-Demand G and VT instances', vcpus: 64 },
  { name: 'All G and VT Spot Instance Requests', vcpus: 8 },
  { name: 'Running On-Demand P instances', vcpus: 192 },
  { name: 'All P4, P3 and P2 Spot Instance Requests', vcpus: 1000 },
  { name: 'Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances', vcpus: 5 },
]

test.each([
  ['g6.xlarge', 4, 12],
  ['gr6.4xlarge', 16, 3],
  ['p4d.24xlarge', 96, 10],
  // No quota for its spot machines is known.
  ['p5.48xlarge', 192, undefined],
  ['u7i.224xlarge', 896, undefined],
])('of %s with %i processors, %s more', (type, vcpus, left) => {
  const running = [
    { type: 'g5.4xlarge', vcpus: 16, isSpot: false },
    { type: 'g5.xlarge', vcpus: 4, isSpot: true },
    { type: 'c7i.large', vcpus: 2, isSpot: false },
  ]
  expect(quotaLeft({ type, vcpus }, QUOTAS, running)).toBe(left)
})

const KEY = { accessKeyId: 'AKIA0123456789ABCDEF', secretAccessKey: 'wJalr/XUtn+FEMI0123456789bPxRfiCYEXAMPLE' }

test.each([
  `[default]\naws_access_key_id = ${KEY.accessKeyId}\naws_secret_access_key=${KEY.secretAccessKey}\n`,
  `export AWS_ACCESS_KEY_ID="${KEY.accessKeyId}"\nexport AWS_SECRET_ACCESS_KEY='${KEY.secretAccessKey}'`,
  JSON.stringify({ AccessKeyId: KEY.accessKeyId, SecretAccessKey: KEY.secretAccessKey }),
])('a key is read as AWS writes it, whatever the form', (text) => {
  expect(awsCredential.parse(text)).toEqual(KEY)
})

test('a key with a token has it, and what is no key is told without being repeated', () => {
  const text = `aws_access_key_id=${KEY.accessKeyId}\naws_secret_access_key=${KEY.secretAccessKey}\naws_session_token=IQoJb3JpZ2luX2VjEXAMPLE==`
  expect(awsCredential.parse(text)).toEqual({ ...KEY, sessionToken: 'IQoJb3JpZ2luX2VjEXAMPLE==' })
  const wrong = awsCredential.safeParse('hunter2-hunter2')
  expect(wrong.success).toBe(false)
  expect(JSON.stringify(wrong.error?.issues)).not.toContain('hunter2')
})

test('templates are left behind after a quarter of an hour, and the oldest go first', () => {
  const nowMs = 10_000_000
  const template = (id: string, ageMs: number) => ({ LaunchTemplateId: id, CreateTime: new Date(nowMs - ageMs) })
  const all = [template('a', 901_000), template('b', 899_000), template('c', 2_000_000), { LaunchTemplateId: 'd' }]
  expect(leftBehind(all, nowMs)).toEqual(['c', 'a'])
})
