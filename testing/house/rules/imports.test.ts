import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { coreAlone, edgesAlone, existingFiles, noTestingInSrc, noTestsShipped, shippedDependencies } from './imports.ts'

const from = (path: string, written: string) => [sourceOf(path, `import { a } from '${written}'`)]

test('imports name files that exist', () => {
  const rule = existingFiles((path) => path === 'src/store/b.ts')
  expect(rule(from('src/store/a.ts', './b.ts'))).toEqual([])
  expect(rule(from('src/store/a.ts', './b'))).toEqual(['src/store/a.ts:1 imports ./b'])
})

test('shipped code leans on no tests', () => {
  expect(noTestsShipped(from('src/store/a.ts', './b.ts'))).toEqual([])
  expect(noTestsShipped(from('src/store/a.test.ts', './b.suite.ts'))).toEqual([])
  for (const written of ['./b.suite.ts', './b.test.ts', './b.fixture.ts']) {
    expect(noTestsShipped(from('src/store/a.ts', written))).toHaveLength(1)
  }
})

test('nothing in src imports testing, its tests included', () => {
  expect(noTestingInSrc(from('testing/sim/a.ts', './b.ts'))).toEqual([])
  expect(noTestingInSrc(from('src/store/a.test.ts', './b.suite.ts'))).toEqual([])
  expect(noTestingInSrc(from('src/store/a.ts', '../../testing/b.ts'))).toHaveLength(1)
  expect(noTestingInSrc(from('src/store/a.test.ts', '../../testing/b.ts'))).toHaveLength(1)
  expect(noTestingInSrc(from('src/store/a.suite.ts', '../../bench/b.ts'))).toHaveLength(1)
})

test('core uses zod where documents become types, and no other package', () => {
  expect(coreAlone(from('src/core/manifest/a.ts', 'zod'))).toEqual([])
  expect(coreAlone(from('src/store/a.ts', 'pg'))).toEqual([])
  expect(coreAlone(from('src/core/place/a.ts', 'zod'))).toHaveLength(1)
  expect(coreAlone(from('src/core/manifest/a.ts', 'node:fs'))).toHaveLength(1)
})

test('shipped code uses what is shipped with it', () => {
  const rule = shippedDependencies(['yaml', '@prometheus-io/client'])
  for (const written of ['yaml', 'yaml/inside', '@prometheus-io/client', 'node:fs', './b.ts']) {
    expect(rule(from('src/store/a.ts', written))).toEqual([])
  }
  expect(rule(from('src/store/a.ts', 'vitest'))).toEqual(['src/store/a.ts:1 imports vitest'])
  expect(rule(from('src/store/a.test.ts', 'vitest'))).toEqual([])
})

test('only edges use the modules of Node', () => {
  expect(edgesAlone(from('src/store/a.ts', 'node:fs'))).toEqual([])
  expect(edgesAlone(from('src/service/a.ts', 'node:fs'))).toHaveLength(1)
})
