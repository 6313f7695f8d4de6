import { expect, test } from 'vitest'
import { kebabCase, noDrawers } from './names.ts'

test('files are named in kebab-case', () => {
  expect(kebabCase(['src/a/gang-queue.prop.test.ts', 'docs/README.md'])).toEqual([])
  expect(kebabCase(['src/a/gangQueue.ts', 'docs/Gangs.md', 'src/a/gang_queue.ts'])).toHaveLength(3)
})

test('names say what is inside', () => {
  expect(noDrawers(['src/a/rows.ts'])).toEqual([])
  expect(noDrawers(['src/utils/rows.ts', 'src/a/row-helpers.ts', 'src/a/common.ts'])).toHaveLength(3)
})
