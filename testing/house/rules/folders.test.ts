import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { folderPrefixes, folderSize } from './folders.ts'

const files = (folder: string, ...names: readonly string[]) => names.map((name) => sourceOf(`${folder}/${name}.ts`, ''))
const many = (count: number) => Array.from({ length: count }, (_, index) => `a${index}`)

test('a folder has thirty files at most, tests not counted', () => {
  expect(folderSize(files('src/store', ...many(30), 'b.test', 'c.suite'))).toEqual([])
  expect(folderSize(files('src/store', ...many(31)))).toEqual(['src/store has 31 files'])
})

test('a folder inside counts for itself', () => {
  expect(folderSize([...files('src/store', ...many(20)), ...files('src/store/postgres', ...many(20))])).toEqual([])
})

test('a registry with one entry a file is as long as it is', () => {
  expect(folderSize(files('src/core/requirement/filter', ...many(41)))).toEqual([])
})

test('what four files begin with is a folder', () => {
  expect(folderPrefixes(files('src/store', 'row', 'row-read', 'row-write', 'rows', 'row-read.test'))).toEqual([])
  expect(folderPrefixes(files('src/store', 'row', 'row-read', 'row-write', 'row-lock'))).toEqual([
    'src/store has 4 files that begin with row',
  ])
  expect(folderPrefixes(files('src/store', 'a-b-c', 'a-b-d', 'a-b-e', 'a-b'))).toEqual([
    'src/store has 4 files that begin with a',
    'src/store has 4 files that begin with a-b',
  ])
})
