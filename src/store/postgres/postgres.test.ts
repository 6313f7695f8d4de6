import { Client } from 'pg'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { storeContract, type Opened } from '../contract.suite.ts'
import { findPostgres, startPostgres, type Postgres } from './postgres.suite.ts'
import { openPostgresStore } from './postgres.ts'

const PROGRAMS = findPostgres()

if (PROGRAMS === undefined) test.skip('PostgreSQL is not installed here, so its store was not tried')

describe.skipIf(PROGRAMS === undefined)('with a real server', () => {
  let server: Postgres | undefined
  let admin: Client | undefined
  let count = 0
  beforeAll(async () => {
    server = await startPostgres()
    admin = new Client(server.url)
    await admin.connect()
  })
  afterAll(async () => {
    await admin?.end()
    await server?.stop()
  })

  storeContract('postgres', { copies: true, single: false, lives: 25 }, async (): Promise<Opened> => {
    const schema = `test_${++count}`
    const url = `${server?.url}?schema=${schema}`
    let store = await openPostgresStore(url)
    return {
      store,
      pass: async (ms) => {
        // For a lease it is the same whether time passes or its end comes nearer.
        await admin?.query(`UPDATE ${schema}.berth_meta SET expires_ms = expires_ms - ${ms}`)
      },
      reopen: async () => {
        await store.close()
        store = await openPostgresStore(url)
        return store
      },
      cleanup: async () => {
        await store.close()
        await admin?.query(`DROP SCHEMA ${schema} CASCADE`)
      },
    }
  })
})
