import { expect, test } from 'vitest'
import { wrapperOf } from './wrapper.ts'

const RECIPE = { name: 'x', module: 'example.test/x', version: 'v1.2.3', programs: {} }

const GO_MOD = `module example.test/x

replace example.test/alone => ./alone

replace (
	example.test/api => ./staging/src/example.test/api // beside it
	example.test/old v1.0.0 => example.test/old v0.9.0
)
`

test('a module without folders of its own is required as it is', () => {
  expect(wrapperOf(RECIPE, GO_MOD)).toBe('module berth.test/x\n\ngo 1.26.0\n\nrequire example.test/x v1.2.3\n')
})

test('replacements are taken over, and folders become a version', () => {
  expect(wrapperOf({ ...RECIPE, staging: 'v0.2.3' }, GO_MOD)).toContain(`replace (
	example.test/alone => example.test/alone v0.2.3
	example.test/api => example.test/api v0.2.3
	example.test/old v1.0.0 => example.test/old v0.9.0
)
`)
})
