import { describe, expect, test, vi } from 'vitest'
import { must } from '../../core/base/assert.ts'
import type { Here } from '../../ports/here.ts'
import { EXIT } from '../cli.ts'
import { tunnels } from './tunnels.suite.ts'

const { REAL, run, sessions } = tunnels()

describe('berth exec -it', () => {
  function keyboard(typed: readonly string[]) {
    const shown: string[] = []
    const keys = async function* () {
      for (const text of typed) yield Buffer.from(text)
    }
    const closed = vi.fn()
    const board = { keys: keys(), size: () => ({ rows: 30, columns: 99 }), onResize: () => {}, close: closed }
    const here: Here = {
      ...REAL,
      keyboard: () => ({ ...board, show: (bytes) => void shown.push(Buffer.from(bytes).toString()) }),
    }
    return { here, shown, closed }
  }

  test('hands the terminal to the program, and ends with its code', async () => {
    const { here, shown, closed } = keyboard(['echo hi; ', 'exit 7\n'])
    expect(await run('exec -it web -- sh', { here, columns: 99 })).toMatchObject({ code: 7, out: '', err: '' })
    expect(shown.join('')).toBe('24x99\nhi\n')
    expect(closed).toHaveBeenCalledOnce()
  })

  test('a replica that goes away gives the terminal back and says so', async () => {
    const { here, closed } = keyboard([])
    const waiting = { ...here, keyboard: () => ({ ...must(here.keyboard, 'it has one')(), keys: silence() }) }
    const ran = run('exec -it web -- sleep 600', { here: waiting })
    const before = sessions.length
    await vi.waitFor(() => expect(sessions.length).toBeGreaterThan(before), { timeout: 20_000 })
    sessions.at(-1)?.abort()
    expect(await ran).toMatchObject({ code: EXIT.notDone })
    expect((await ran).err).toContain('its replica may be gone')
    expect(closed).toHaveBeenCalledOnce()
  })

  test('without a terminal, it says so', async () => {
    expect((await run('exec -it web -- sh')).err).toContain('There is no terminal here to hand over.')
  })
})

async function* silence(): AsyncGenerator<Uint8Array> {
  await new Promise(() => {})
  yield new Uint8Array()
}
