import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { storeFlags } from '../../../src/providers/local/bench.suite.ts'
import { IMAGE } from './hostile.suite.ts'

const run = promisify(execFile)

/** What the runner asks for, and what a host in a container may give instead: everything else arrives as it was sent. */
const ASKED = '"Ulimits": [{"Name": "memlock", "Soft": -1, "Hard": -1}]'
const GIVEN =
  '"Ulimits": [{"Name": "nofile", "Soft": 1024, "Hard": 1024}, {"Name": "nproc", "Soft": 1024, "Hard": 1024}]'

/** A real podman behind the socket of docker, with a store of its own and an image that has nothing but busybox. */
export class RealDocker {
  readonly folder = mkdtempSync(join(tmpdir(), 'berth-vm-'))
  readonly socket = join(this.folder, 'docker.sock')
  readonly #behind = join(this.folder, 'podman.sock')
  readonly #flags = storeFlags(this.folder)
  readonly #relay: Server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing))
  #service: ChildProcess | undefined

  async start(): Promise<void> {
    this.#build()
    this.#service = spawn('podman', [...this.#flags, 'system', 'service', '--time', '0', `unix://${this.#behind}`], {
      stdio: 'ignore',
    })
    this.#relay.listen(this.socket)
    while (!existsSync(this.#behind)) await sleep(20)
  }

  /** What the container wrote into a file. */
  async file(path: string): Promise<Buffer> {
    const copy = join(this.folder, 'copy')
    await run('podman', [...this.#flags, 'cp', `berth:${path}`, copy])
    return readFileSync(copy)
  }

  /** Paths that the container changed in its image. */
  async changed(): Promise<readonly string[]> {
    const { stdout } = await run('podman', [...this.#flags, 'diff', 'berth'])
    return stdout.split('\n').map((line) => line.slice(2))
  }

  async remove(): Promise<void> {
    await run('podman', [...this.#flags, 'rm', '--force', '--time', '0', 'berth'])
  }

  async close(): Promise<void> {
    execFileSync('podman', [...this.#flags, 'rm', '--all', '--force', '--time', '0'], { stdio: 'ignore' })
    const ended = this.#service && once(this.#service, 'exit')
    this.#service?.kill('SIGKILL')
    await ended
    this.#relay.closeAllConnections()
    this.#relay.close()
    rmSync(this.folder, { recursive: true, force: true })
  }

  #build(): void {
    const context = join(this.folder, 'context')
    mkdirSync(context)
    copyFileSync('/bin/busybox', join(context, 'busybox'))
    const copies = ['sh', 'cat', 'touch', 'sleep', 'mv', 'md5sum'].map((name) => `COPY busybox /bin/${name}\n`)
    writeFileSync(join(context, 'Containerfile'), `FROM scratch\n${copies.join('')}`)
    execFileSync('podman', [...this.#flags, 'build', '--quiet', '--tag', IMAGE, context], { stdio: 'ignore' })
  }

  /** Nothing can be fetched here: the image is there. */
  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    // Proven: without an encoding, a request comes in buffers.
    for await (const part of incoming) parts.push(part as Buffer)
    if (incoming.url?.startsWith('/images/create') === true) return void outgoing.end('{}')
    const body = Buffer.from(Buffer.concat(parts).toString('latin1').replace(ASKED, GIVEN), 'latin1')
    const { method, url: path, headers } = incoming
    const passed = { ...headers, 'content-length': String(body.length) }
    const there = request({ socketPath: this.#behind, method, path, headers: passed, agent: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 500, { 'content-type': 'application/json' })
      reply.pipe(outgoing)
    })
    there.once('error', () => outgoing.destroy())
    there.end(body)
  }
}
