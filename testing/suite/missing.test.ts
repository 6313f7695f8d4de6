import { expect, test } from 'vitest'
import { tellMissing, toolsFor } from './missing.ts'

const tool = (name: string, isThere: boolean) => ({ name, from: name.toLowerCase(), isThere: () => isThere })

test('what is missing is told in one line, with how to get it', () => {
  expect(tellMissing([tool('A', false), tool('B', true), tool('C', false)])).toBe(
    'Skipped for want of A, C. To run these tests, too: apt-get install a c',
  )
  expect(tellMissing([tool('A', false), { ...tool('B', false), by: 'pip install b' }])).toBe(
    'Skipped for want of A, B. To run these tests, too: apt-get install a; pip install b',
  )
  expect(tellMissing([tool('A', true)])).toBeUndefined()
})

const S3 = ['rclone', 'an rclone with `serve s3`']

test('the small run needs less', () => {
  expect(toolsFor(false).map(({ name }) => name)).toEqual(['PostgreSQL', ...S3, 'haproxy', 'nginx', 'curl'])
  expect(toolsFor(true).map(({ name }) => name)).toEqual([
    'PostgreSQL',
    ...S3,
    'haproxy',
    'nginx',
    'curl',
    'sqlite3',
    'podman',
  ])
})
