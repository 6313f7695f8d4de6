import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeContract, type Opened } from '../contract.suite.ts'
import { openSqliteStore } from './sqlite.ts'

storeContract('sqlite', { copies: true, single: true, lives: 40 }, open)

async function open(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-sqlite-'))
  const path = join(folder, 'berth.db')
  let nowMs = 1_000_000
  const again = (): ReturnType<typeof openSqliteStore> => openSqliteStore(path, { nowMs: () => nowMs })
  let store = await again()
  return {
    store,
    pass: (ms) => {
      nowMs += ms
      return Promise.resolve()
    },
    reopen: async () => {
      await store.close()
      store = await again()
      return store
    },
    cleanup: async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    },
  }
}
