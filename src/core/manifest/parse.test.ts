import { describe, expect, test } from 'vitest'
import type { Problem } from '../base/problem.ts'
import { BASE, CPU, parse } from './manifests.suite.ts'

describe('all checks together', () => {
  test('give every problem at once, by line, with its source line', () => {
    const parsed = parse(`${BASE}resources: { cpu: x }\nnodes: 2\nreplicas: 0\nzone: a\n`)
    expect('problems' in parsed && parsed.problems.map(({ code, sourceLine }) => [code, sourceLine])).toEqual([
      ['QUANTITY_INVALID', 'resources: { cpu: x }'],
      ['KEY_WRONG_KIND', 'nodes: 2'],
      ['VALUE_RANGE', 'replicas: 0'],
      ['MANIFEST_COUPLED', 'zone: a'],
    ])
  })

  test('never print the value of a secret', () => {
    const parsed = parse(
      `${BASE}${CPU}secrets: [A=hunter2, { B: hunter2 }]\nstorage: [{ mount: /m, from: "https://u:hunter2@h/p" }]\n`,
    )
    expect('problems' in parsed && parsed.problems.map(({ code }) => code)).toEqual([
      'SECRET_VALUE',
      'SECRET_VALUE',
      'SECRET_VALUE',
    ])
    expect(JSON.stringify(parsed)).not.toContain('hunter2')
  })

  test('let an extra check speak for its key', () => {
    const place = { file: 'demo.yaml', line: 6, column: 1, length: 6 }
    const claim: Problem = { code: 'MANIFEST_COUPLED', message: 'mine', place }
    const parsed = parse(`${BASE}${CPU}region: x\nrgion: y\n`, () => [claim])
    expect('problems' in parsed && parsed.problems.map(({ code, place }) => [code, place?.line])).toEqual([
      ['MANIFEST_COUPLED', 6],
      ['KEY_UNKNOWN', 7],
    ])
  })

  test('refuse a good manifest when an extra check does', () => {
    const claim: Problem = { code: 'MANIFEST_COUPLED', message: 'mine' }
    expect(parse(`${BASE}${CPU}`, () => [claim])).toEqual({ problems: [claim] })
    expect(parse(`${BASE}${CPU}`, () => [])).toHaveProperty('manifest')
  })
})
