import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'
import { LONG, longFirst } from './order.ts'

test('the longest files are begun first, the others in the order that they came in', () => {
  const [first = '', second = ''] = LONG
  expect(longFirst(['b.test.ts', second, 'a.test.ts', first])).toEqual([first, second, 'b.test.ts', 'a.test.ts'])
})

test.each(LONG)('%s is there', (name) => {
  expect(existsSync(join(ROOT, name))).toBe(true)
})
