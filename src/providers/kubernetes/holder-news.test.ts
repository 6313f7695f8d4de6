import { expect, test } from 'vitest'
import { hintsOfOthers, hintsOfOwn } from './holder-news.ts'

test.each([
  ['ADDED', 'Pending', ['instances']],
  ['MODIFIED', 'Running', ['instances']],
  ['MODIFIED', 'Failed', ['instances', 'offers']],
  ['MODIFIED', 'Succeeded', ['instances', 'offers']],
  ['DELETED', 'Running', ['instances', 'offers']],
])('a pod of ours that is %s as %s hints at %j', (type, phase, hints) => {
  expect(hintsOfOwn({ type, object: { status: { phase } } })).toEqual(hints)
})

test('a pod of others hints at room when it comes and when it goes', () => {
  const hints = ['ADDED', 'MODIFIED', 'DELETED'].map((type) => hintsOfOthers({ type, object: {} }))
  expect(hints).toEqual([['offers'], [], ['offers']])
})
