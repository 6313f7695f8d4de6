import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { knownRooms, noCycles, roomOrder } from './rooms.ts'

const ROOMS = ['core/base', 'core/place', 'store']
const inBase = (text: string) => sourceOf('src/core/base/a.ts', text)

test('a room imports rooms above it, and a type counts as much as a value', () => {
  const rule = roomOrder(ROOMS)
  expect(rule([sourceOf('src/core/place/a.ts', "import { b } from '../base/b.ts'")])).toEqual([])
  expect(rule([inBase("import { b } from './b.ts'")])).toEqual([])
  const wrong = 'src/core/base/a.ts:1 imports src/core/place/b.ts, a room further down'
  expect(rule([inBase("import { b } from '../place/b.ts'")])).toEqual([wrong])
  expect(rule([inBase("import type { B } from '../place/b.ts'")])).toEqual([wrong])
  expect(rule([inBase("export type { B } from '../place/b.ts'")])).toEqual([wrong])
  expect(rule([inBase("type B = import('../place/b.ts').B")])).toEqual([wrong])
  expect(rule([inBase("const b = await import('../place/b.ts')")])).toEqual([wrong])
})

test('a test may look at any room', () => {
  expect(roomOrder(ROOMS)([sourceOf('src/core/base/a.test.ts', "import { b } from '../../store/b.ts'")])).toEqual([])
})

test('a folder of src has its place in the order', () => {
  expect(knownRooms(ROOMS)([inBase('')])).toEqual([])
  expect(knownRooms(ROOMS)([sourceOf('src/attic/a.ts', '')])).toEqual(['src/attic is no room of the order'])
})

test('no walk goes round between files, types included', () => {
  const there = sourceOf('src/store/a.ts', "import type { B } from './b.ts'")
  const back = sourceOf('src/store/b.ts', "import { a } from './a.ts'")
  expect(noCycles([there, back])).toEqual(['src/store/a.ts → src/store/b.ts → src/store/a.ts goes round'])
  expect(noCycles([there, sourceOf('src/store/b.ts', '')])).toEqual([])
  expect(noCycles([sourceOf('src/store/a.ts', "import { a } from './a.ts'")])).toHaveLength(1)
})

test('no walk goes round between rooms, even where none does between files', () => {
  const there = sourceOf('src/store/a.ts', "import { b } from '../vault/b.ts'")
  const back = sourceOf('src/vault/c.ts', "import { d } from '../store/d.ts'")
  expect(noCycles([there, back])).toEqual(['store → vault → store goes round'])
  expect(noCycles([there, sourceOf('src/vault/c.ts', "import { d } from '../solver/d.ts'")])).toEqual([])
})
