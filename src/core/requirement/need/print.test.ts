import { describe, expect, test } from 'vitest'
import { gib, linkName, trim, usd } from './print.ts'

describe('printing what users read', () => {
  test('memory has its unit', () => {
    expect([80, 0.5, 15.25, 79.6474609375].map(gib)).toEqual(['80Gi', '0.5Gi', '15.25Gi', '79.647Gi'])
  })

  test('numbers have three decimals at most and no zeros at the end', () => {
    expect([4, 4.1, 4.1004, 4.1006, 0].map(trim)).toEqual(['4', '4.1', '4.1', '4.101', '0'])
  })

  test('money has cents, unless cents would hide it', () => {
    expect([9.4, 0, 0.095, 0.1, 1234.567].map(usd)).toEqual(['$9.40', '$0.00', '$0.10', '$0.10', '$1234.57'])
    expect([0.0042, 0.0949, 0.01, 0.00123].map(usd)).toEqual(['$0.0042', '$0.095', '$0.01', '$0.0012'])
  })

  test('links have the names that manifests use', () => {
    expect([0, 1, 2, 3, 4].map(linkName)).toEqual(['any', 'pcie', 'nvlink', 'nvswitch', 'any'])
  })
})
