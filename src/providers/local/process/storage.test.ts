import { expect, test } from 'vitest'
import { NO_TOOLS, storageLacks } from './storage.ts'

test('a host says which storage its processes cannot have, and why', () => {
  expect(storageLacks(NO_TOOLS)).toEqual([expect.stringContaining('only root')])
  const tools = { unshare: '/usr/bin/unshare', hasRclone: false }
  expect(storageLacks(tools)).toEqual([expect.stringContaining('rclone is not installed')])
  expect(storageLacks({ ...tools, hasRclone: true })).toEqual([])
})
