import { describe, expect, test } from 'vitest'
import { readGpuInfo } from './info.ts'

describe('the description of a card', () => {
  test('is read from a dict, with its total outside or inside', () => {
    const info = { kind: 'info', name: 'L4', count: 2, cardMib: 24, totalMib: 48 }
    expect(
      readGpuInfo("{'Gpus': [{'Name': 'L4', 'Count': 2, 'MemoryInfo': {'SizeInMiB': 24}}], 'TotalGpuMemoryInMiB': 48}"),
    ).toEqual(info)
    expect(
      readGpuInfo("{'Gpus': [{'Name': 'L4', 'Count': 2, 'MemoryInfo': {'SizeInMiB': 24}, 'TotalGpuMemoryInMiB': 48}]}"),
    ).toEqual(info)
  })

  test('may have numbers in quotes, and leave things out', () => {
    expect(readGpuInfo("{'Gpus': [{'Count': '1.0', 'MemoryInfo': {'SizeInMiB': ' '}}]}")).toEqual({
      kind: 'info',
      name: '',
      count: 1,
      cardMib: undefined,
      totalMib: undefined,
    })
    expect(readGpuInfo("{'Gpus': [{'Name': 5, 'Count': 'many'}]}")).toMatchObject({ name: '', count: undefined })
    expect(readGpuInfo("{'Gpus': []}")).toMatchObject({ kind: 'info', name: '' })
    expect(readGpuInfo("{'Gpus': [7]}")).toMatchObject({ kind: 'info', name: '' })
  })

  test('may be the plain name, or nothing', () => {
    const nothing = { kind: 'info', count: undefined, cardMib: undefined, totalMib: undefined }
    expect(readGpuInfo(' V100-32GB ')).toEqual({ ...nothing, name: 'V100-32GB' })
    expect(readGpuInfo(' ')).toEqual({ ...nothing, name: '' })
  })

  test('of two kinds of card is mixed', () => {
    expect(readGpuInfo("{'Gpus': [{'Name': 'L4'}, {'Name': 'T4'}]}")).toEqual({ kind: 'mixed' })
  })

  test('that cannot be parsed is unreadable', () => {
    expect(readGpuInfo("{'Gpus': [")).toEqual({ kind: 'unreadable' })
    expect(readGpuInfo("{'Cards': []}")).toEqual({ kind: 'unreadable' })
    expect(readGpuInfo("{'Gpus': 1}")).toEqual({ kind: 'unreadable' })
  })
})
