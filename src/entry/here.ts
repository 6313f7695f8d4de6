import { createReadStream, lstatSync, readdirSync, readlinkSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import type { FolderEntry, Here, Keyboard, LocalConnection } from '../ports/here.ts'
import { written } from '../ports/room.ts'

/** This machine, as commands use it. */
export function hereOf({ isTerminal }: { readonly isTerminal: boolean }): Here {
  return { keyboard: isTerminal ? keyboard : undefined, listen, walk }
}

function keyboard(): Keyboard {
  const { stdin, stdout } = process
  stdin.setRawMode(true)
  return {
    keys: stdin,
    size: () => ({ rows: stdout.rows, columns: stdout.columns }),
    onResize: (changed) => void stdout.on('resize', changed),
    show: (bytes) => void stdout.write(bytes),
    close: () => {
      stdin.setRawMode(false)
      stdin.destroy()
    },
  }
}

const listen: Here['listen'] = (port, connected, signal) => {
  // Loaded only when needed: every command must start quickly.
  const { createServer } = process.getBuiltinModule('node:net')
  return new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      signal.addEventListener('abort', () => socket.destroy(), { once: true })
      connected(connectionOf(socket))
    })
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port })
    })
    signal.addEventListener('abort', () => server.close(), { once: true })
  })
}

function connectionOf(socket: Socket): LocalConnection {
  socket.on('error', () => socket.destroy())
  socket.setNoDelay(true)
  return {
    input: socket.iterator({ destroyOnReturn: false }),
    write: (bytes) => written(socket, bytes),
    end: () => void socket.end(),
    close: () => void socket.destroy(),
  }
}

function walk(folder: string): Iterable<FolderEntry> | undefined {
  try {
    if (!statSync(folder).isDirectory()) return undefined
  } catch {
    return undefined
  }
  return below(folder, '')
}

function* below(folder: string, path: string): Generator<FolderEntry> {
  for (const name of readdirSync(join(folder, path)).toSorted()) {
    const inside = path === '' ? name : `${path}/${name}`
    const full = join(folder, inside)
    const stats = lstatSync(full)
    yield {
      path: inside,
      kind: kindOf(stats),
      bytes: stats.isFile() ? stats.size : 0,
      mode: stats.mode & 0o777,
      changedMs: stats.mtimeMs,
      target: stats.isSymbolicLink() ? readlinkSync(full) : '',
      read: () => createReadStream(full, { highWaterMark: 1024 * 1024 }),
    }
    if (stats.isDirectory()) yield* below(folder, inside)
  }
}

function kindOf(stats: Stats): FolderEntry['kind'] {
  if (stats.isFile()) return 'file'
  if (stats.isDirectory()) return 'folder'
  return stats.isSymbolicLink() ? 'link' : 'other'
}
