import { describe, expect, test } from 'vitest'
import { cudaForDriver, driverForCuda } from './cuda.ts'

const RELEASES = [
  ['11.0', '450'],
  ['11.1', '455'],
  ['11.2', '460'],
  ['11.3', '465'],
  ['11.4', '470'],
  ['11.5', '495'],
  ['11.6', '510'],
  ['11.7', '515'],
  ['11.8', '520'],
  ['12.0', '525'],
  ['12.1', '530'],
  ['12.2', '535'],
  ['12.3', '545'],
  ['12.4', '550'],
  ['12.5', '555'],
  ['12.6', '560'],
  ['12.8', '570'],
  ['12.9', '575'],
  ['13.0', '580'],
  ['13.1', '590'],
]

describe('a CUDA release ships with a driver branch', () => {
  test.each(RELEASES)('CUDA %s with %s', (cuda, driver) => {
    expect(driverForCuda(cuda ?? '')).toBe(driver)
    expect(cudaForDriver(driver ?? '')).toBe(cuda)
  })

  test.each([
    ['12', '525'],
    ['13', '580'],
    ['12.4.1', '550'],
    ['12.7', '560'],
    ['12.10', '575'],
    ['11.9', '520'],
    ['13.1.2', '590'],
  ])('CUDA %s takes the branch of the release it belongs to, %s', (cuda, driver) => {
    expect(driverForCuda(cuda)).toBe(driver)
  })

  test.each([
    '10.2',
    '10',
    '13.2',
    '14',
    '14.0',
    '',
    '12.',
    '.4',
    'twelve',
    '12.4-rc1',
    'v12.4',
    '12.4 ',
    '12.00004',
    '12.4.1.2.3',
  ])('CUDA "%s" has no known branch', (cuda) => {
    expect(driverForCuda(cuda)).toBeUndefined()
  })
})

describe('a driver serves CUDA up to a version', () => {
  test.each([
    ['450.80.02', '11.0'],
    ['454.99', '11.0'],
    ['535.183.01', '12.2'],
    ['569.99.99', '12.6'],
    ['570.86.15', '12.8'],
    ['580', '13.0'],
    ['589', '13.0'],
    ['590.10', '13.1'],
    ['700', '13.1'],
  ])('driver %s up to %s', (driver, cuda) => {
    expect(cudaForDriver(driver)).toBe(cuda)
  })

  test.each(['449.99', '390', '', 'R570', '570.x'])('driver "%s" up to none we know of', (driver) => {
    expect(cudaForDriver(driver)).toBeUndefined()
  })
})
