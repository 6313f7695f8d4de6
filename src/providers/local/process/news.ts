import { existsSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Says that something has started or ended: every shim empties one file at that moment, so that one watch is enough for all of
 * them, and what they print wakes nobody. News that were not taken yet count once. Ends when the file can no longer be watched.
 */
export async function* newsIn(folder: string, signal: AbortSignal): AsyncGenerator<'instances'> {
  const file = join(folder, NEWS)
  writeFileSync(file, '', { mode: 0o600 })
  const ear = { isNew: false, isOver: false, wake: Promise.withResolvers<void>() }
  const over = (): void => {
    ear.isOver = true
    ear.wake.resolve()
  }
  const watcher = watch(file, { persistent: false }, (kind) => {
    // It was moved or removed, and whatever takes its place is another file.
    if (kind === 'rename') return over()
    ear.isNew = true
    ear.wake.resolve()
  })
  watcher.on('error', over)
  signal.addEventListener('abort', over, { once: true })
  try {
    while (!signal.aborted) {
      await ear.wake.promise
      if (ear.isNew) {
        ear.isNew = false
        ear.wake = Promise.withResolvers()
        if (ear.isOver) ear.wake.resolve()
        yield 'instances'
      } else if (ear.isOver) return
    }
  } finally {
    watcher.close()
    signal.removeEventListener('abort', over)
  }
}

/** Resolves when there is a file of this name in the folder, and after this long in any case. */
export async function appeared(folder: string, name: string, withinMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, withinMs)
  try {
    const watcher = watch(folder, { persistent: false }, () => void (existsSync(join(folder, name)) && resolve()))
    watcher.on('error', () => resolve())
    // It may have come before anybody watched.
    if (!existsSync(join(folder, name))) await promise
    watcher.close()
  } catch {
    // The folder is gone, or there are too many watches on this host.
  } finally {
    clearTimeout(timer)
  }
}

const NEWS = 'news'
