import { describe, expect, test } from 'vitest'
import { UserError } from '../../core/base/problem.ts'
import { readAddress } from './address.ts'

describe('readAddress', () => {
  test('takes the schema out of the address and shows neither user nor password', () => {
    expect(readAddress('postgres://me:secret@db.example:5433/berth?sslmode=require&schema=blue')).toEqual({
      connectionString: 'postgres://me:secret@db.example:5433/berth?sslmode=require',
      schema: 'blue',
      shown: 'db.example:5433/berth',
    })
  })

  test('a socket is a host, too, and the schema is berth unless said', () => {
    expect(readAddress('postgresql:///berth?host=/var/run/postgresql')).toMatchObject({
      schema: 'berth',
      shown: '/var/run/postgresql/berth',
    })
  })

  test.each([
    'mysql://me:hunter2@host/db',
    'hunter2',
    '',
    'postgres://me:hunter2@host:port/db',
    'postgres://me:hunter2@host:99999/db',
    'postgres://me:hunter2@host',
    'postgres://me:hunter2@host/',
    'postgres://me:hunter2@host/db?schema=a"b',
    'postgres://me:hunter2@host/db?schema=hunter2;drop',
    'postgres://me:hunter2@host/db?schema=pg_catalog',
    `postgres://me:hunter2@host/db?schema=${'x'.repeat(64)}`,
    'postgres://me:hunter2@host/db?schema=',
  ])('%j is refused without being repeated', (url) => {
    let problem: unknown
    try {
      readAddress(url)
    } catch (error) {
      problem = error
    }
    expect(problem).toBeInstanceOf(UserError)
    expect(JSON.stringify(problem)).toContain('DATABASE_URL_INVALID')
    expect(JSON.stringify(problem)).toContain('%40')
    expect(JSON.stringify(problem)).not.toContain('hunter2')
  })
})
