import { storeContract, type Opened } from './contract.suite.ts'
import { memoryStore } from './memory.ts'

storeContract('memory, strict', { copies: true, single: false, lives: 300 }, () => Promise.resolve(open(true)))
storeContract('memory', { copies: false, single: false, lives: 100 }, () => Promise.resolve(open(false)))

function open(strict: boolean): Opened {
  let nowMs = 1_000_000
  const store = memoryStore({ nowMs: () => nowMs, strict })
  return {
    store,
    pass: (ms) => {
      nowMs += ms
      return Promise.resolve()
    },
    reopen: () => Promise.resolve(store),
    cleanup: () => Promise.resolve(),
  }
}
