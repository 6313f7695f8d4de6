import { expect, test } from 'vitest'
import { settingPlaces } from './setting-place.ts'

const TEXT = `berth: v1
kind: config
providers:
  here:
    kind: local
    settings: { runtime: lxc, ports: [] }
`

test('a setting has the line and column of its key', () => {
  const place = settingPlaces({ file: 'berth.config.yaml', text: TEXT })
  expect(place('here', ['ports'])).toBe('berth.config.yaml:6:31')
  expect(place('here', ['runtime'])).toBe('berth.config.yaml:6:17')
})

test('a setting that is missing has the place of what should hold it', () => {
  expect(settingPlaces({ file: 'c.yaml', text: TEXT })('here', ['cpu'])).toBe('c.yaml:6:5')
})

test('without a file there is no place', () => {
  expect(settingPlaces(undefined)('here', ['runtime'])).toBeUndefined()
})
