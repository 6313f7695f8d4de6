import { expect, test } from 'vitest'
import { EVENTS } from '../../src/core/event/kinds.ts'
import { filesUnder } from './files.ts'
import { readSource } from './source.ts'

test('every kind of event is named by code that can emit it', () => {
  const emitting = /^src\/(?:controller|service|core\/life)\//
  const sources = filesUnder('src', '.ts')
    .filter((path) => emitting.test(path))
    .map(readSource)
  const named = new Set(
    sources.filter(({ isShipped }) => isShipped).flatMap((source) => source.nodes('Literal').map(({ value }) => value)),
  )
  expect(Object.keys(EVENTS).filter((kind) => !named.has(kind))).toEqual([])
})
