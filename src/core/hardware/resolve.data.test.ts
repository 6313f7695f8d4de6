import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readCsv } from '../../formats/csv.ts'
import { familyOf } from './family.ts'
import { resolveGpu } from './resolve.ts'

const CATALOG = join(process.env['BERTH_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'catalog')

/** Programmable logic is no accelerator that a workload can be placed on. */
const UNKNOWN = ['aws Virtex UltraScale+ (VU47P)']

/** These catalogues give the memory of all cards together. */
const TOTALS = ['primeintellect', 'vast']

interface Row {
  readonly provider: string
  readonly name: string
  readonly instance: string
  readonly vramMib: number | undefined
}

describe.skipIf(!existsSync(CATALOG))('the catalogues of 24 clouds', () => {
  test('name no accelerator that is not understood, at worst up to its form', { timeout: 60_000 }, () => {
    const rows = new Map<string, Row>()
    for (const provider of readdirSync(CATALOG)) {
      for (const row of rowsOf(provider)) rows.set(JSON.stringify(row), row)
    }
    expect(rows.size).toBeGreaterThan(700)

    const unknown = new Set<string>()
    const open = new Set<string>()
    for (const { provider, name, instance, vramMib } of rows.values()) {
      const found = resolveGpu(name, { provider, instance, ...(vramMib === undefined ? {} : { vramMib }) })
      if (found.kind === 'unknown') unknown.add(`${provider} ${name}`)
      if (found.kind === 'ambiguous' && familyOf(found.candidates) === undefined)
        open.add(`${provider} ${name} ${instance}`)
    }
    expect([...unknown]).toEqual(UNKNOWN)
    expect([...open]).toEqual([])
  })
})

function rowsOf(provider: string): readonly Row[] {
  const { header, rows } = readCsv(readFileSync(join(CATALOG, provider, 'vms.csv'), 'utf8'))
  return [...rows()].flatMap(({ fields }) => {
    const field = (name: string) => fields[header.indexOf(name)] ?? ''
    const info = field('GpuInfo')
    const count = TOTALS.includes(provider) ? Number(field('AcceleratorCount')) : 1
    const names = new Set([field('AcceleratorName'), /Name['"]: ?['"]([^'"]+)/.exec(info)?.[1] ?? ''])
    const common = { provider, instance: field('InstanceType'), vramMib: sizeIn(info, count) }
    return [...names].filter((name) => name !== '').map((name) => ({ ...common, name }))
  })
}

/** One card's MiB; some catalogues write gigabytes into the field for them. */
function sizeIn(info: string, count: number): number | undefined {
  const size = Number(/SizeInMiB\D+(\d+)/.exec(info)?.[1] ?? 0)
  if (size === 0) return undefined
  return size < 1000 ? size * 1024 : size / count
}
