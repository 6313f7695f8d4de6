import { expect, test } from 'vitest'
import { faultFrom, replyOf } from './faults.ts'

function refusal(
  status: number,
  reason: string,
  message: string,
  details: object = {},
): Parameters<typeof faultFrom>[0] {
  const text = JSON.stringify({
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason,
    message,
    details,
    code: status,
  })
  return { status, headers: { 'content-type': 'application/json' }, text }
}

const CREATE = { creates: true }

test.each([
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: exceeded quota: compute, requested: requests.nvidia.com/gpu=8, used: 0, limited: 4',
    'QUOTA',
    undefined,
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: failed quota: compute: must specify limits.cpu',
    'NO_MATCHING_SHAPE',
    'provider',
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: User "berth" cannot create resource "pods" in API group "" in the namespace "ml"',
    'AUTH',
    undefined,
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true',
    'NO_MATCHING_SHAPE',
    'provider',
  ],
  [
    403,
    'Forbidden',
    'admission webhook "check.example.com" denied the request: no latest tags',
    'NO_MATCHING_SHAPE',
    undefined,
  ],
  [400, 'BadRequest', 'admission webhook "check.example.com" denied the request: no', 'NO_MATCHING_SHAPE', undefined],
  [
    422,
    'Invalid',
    "ValidatingAdmissionPolicy 'no-root' with binding 'b' denied request: no",
    'NO_MATCHING_SHAPE',
    undefined,
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: maximum memory usage per Container is 1Gi, but limit is 16Gi',
    'NO_MATCHING_SHAPE',
    'provider',
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: unable to create new content in namespace ml because it is being terminated',
    'TRANSIENT',
    'provider',
  ],
  [
    403,
    'Forbidden',
    'pods "x" is forbidden: error looking up service account ml/trainer: serviceaccount "trainer" not found',
    'NO_MATCHING_SHAPE',
    'provider',
  ],
  [404, 'NotFound', 'namespaces "ml" not found', 'TRANSIENT', 'provider'],
  [
    403,
    'Forbidden',
    'jobs.batch is forbidden: User "u" cannot create resource "jobs" in API group "batch" in the namespace "ml": RBAC: clusterrole "a" not found',
    'AUTH',
    undefined,
  ],
  [401, 'Unauthorized', 'Unauthorized', 'AUTH', undefined],
  [422, 'Invalid', 'Pod "x" is invalid: spec.containers[0].image: Required value', 'BAD_REQUEST', undefined],
  [
    400,
    'BadRequest',
    'Pod in version "v1" cannot be handled as a Pod: strict decoding error',
    'BAD_REQUEST',
    undefined,
  ],
  [409, 'Conflict', 'Operation cannot be fulfilled', 'TRANSIENT', undefined],
  [
    500,
    'InternalError',
    'Internal error occurred: failed calling webhook "a.b": context deadline exceeded',
    'TRANSIENT',
    'provider',
  ],
])('%s %s %s is %s', (status, reason, message, name, scope) => {
  const fault = faultFrom(refusal(status, reason, message), CREATE)
  expect(fault).toMatchObject({ class: name, created: 'no' })
  expect(fault.scope).toBe(scope)
  expect(fault.message).toContain(message.slice(0, 60))
})

test.each([
  [500, 'InternalError', 'etcdserver: request timed out'],
  [504, 'Timeout', 'Timeout: request did not complete within requested timeout'],
  [503, 'ServiceUnavailable', 'the server is currently unable to handle the request'],
])('%s %s leaves open whether something was created', (status, reason, message) => {
  expect(faultFrom(refusal(status, reason, message), CREATE)).toMatchObject({ class: 'AMBIGUOUS' })
  expect(faultFrom(refusal(status, reason, message), { creates: false })).toMatchObject({ class: 'TRANSIENT' })
})

test('a rate limit says when to come back', () => {
  const said = refusal(429, 'TooManyRequests', 'too many requests', { retryAfterSeconds: 3 })
  expect(faultFrom(said, CREATE)).toMatchObject({ class: 'RATE_LIMIT', retryAfterMs: 3000 })
  expect(faultFrom({ ...said, headers: { 'retry-after': '7' } }, CREATE)).toMatchObject({ retryAfterMs: 7000 })
  expect(faultFrom({ status: 429, headers: { 'retry-after': '1' }, text: 'Too many requests' }, CREATE)).toMatchObject({
    class: 'RATE_LIMIT',
    retryAfterMs: 1000,
  })
})

test('half a reply to a create says nothing for sure, and half a list is only read again', () => {
  const { text, ...rest } = refusal(403, 'Forbidden', 'pods "x" is forbidden: exceeded quota: compute')
  const half = { ...rest, text: text.slice(0, 120) }
  expect(faultFrom(half, CREATE).class).toBe('AMBIGUOUS')
  expect(faultFrom(half, { creates: false }).class).toBe('TRANSIENT')
})

test.each(['<html>403</html>', '', '{"kind":"Pod"}'])(
  'something in front of the API server says nothing: %j',
  (text) => {
    expect(faultFrom({ status: 403, headers: {}, text }, CREATE).class).toBe('TRANSIENT')
    expect(replyOf({ text })).toEqual({ reason: '', message: '' })
  },
)
