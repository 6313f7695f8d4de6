import { expect, test } from 'vitest'
import { sourceOf } from '../source.ts'
import { noProviderInCore, pureCore, pureStep } from './purity.ts'

const core = (text: string) => [sourceOf('src/core/place/a.ts', text)]

test.each([
  ['const a = Date.now()', 'the time'],
  ['const a = new Date()', 'the time'],
  ['const a = performance.now()', 'the time'],
  ['const a = Math.random()', 'chance'],
  ['const a = crypto.randomUUID()', 'chance'],
  ['setTimeout(a, 1)', 'timers'],
  ['const a = process.env', 'the process'],
  ['const a = globalThis', 'the process'],
  ['console.log(1)', 'output'],
  ["fetch('http://a')", 'the network'],
  ['async function a() {}', 'waiting'],
  ['let a: Promise<void>', 'waiting'],
  ["'a'.localeCompare('b')", 'the language of the machine'],
  ['(1).toLocaleString()', 'the language of the machine'],
  ['new Intl.Collator()', 'the language of the machine'],
])('%s is not pure', (text, what) => {
  expect(pureCore(core(text))).toEqual([`src/core/place/a.ts:1 uses ${what}`])
})

test('what depends on its input alone is pure, however it is called', () => {
  const text = "Date.parse(b); new Date(b); b.process; ({ fetch: 1, console: 2 }); 'Date.now()' // Math.random()"
  expect(pureCore(core(text))).toEqual([])
})

test('edges may look at the clock, and so may tests', () => {
  expect(pureCore([sourceOf('src/store/a.ts', 'Date.now()'), sourceOf('src/core/a.test.ts', 'Date.now()')])).toEqual([])
})

test('the step of the controller is pure, with all of the controller that it imports', () => {
  const step = sourceOf('src/controller/step/a.ts', "import { b } from '../b.ts'")
  const near = sourceOf('src/controller/b.ts', 'Date.now()')
  const far = sourceOf('src/controller/c.ts', 'Date.now()')
  expect(pureStep([step, near, far])).toEqual(['src/controller/b.ts:1 uses the time'])
  const wide = sourceOf('src/controller/step/a.ts', "import { a } from '../../service/a.ts'")
  expect(pureStep([wide])).toEqual(['src/controller/step/a.ts:1 imports ../../service/a.ts'])
})

test('core names no provider outside its tables', () => {
  const text = "const a = 'runpod'"
  expect(noProviderInCore(core(text))).toEqual([`src/core/place/a.ts:1 ${text}`])
  expect(noProviderInCore([sourceOf('src/core/hardware/a.ts', text)])).toEqual([])
})
