import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Secret } from '../../src/ports/secret.ts'

/** A repository as the hub has it, at one commit. */
interface FakeRepo {
  /** `models/acme/tiny`, with the kind as the API spells it. */
  readonly id: string
  readonly files: Readonly<Record<string, string | Buffer>>
  /** Readable with the token only. */
  readonly isGated?: boolean
}

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
/** Files of this size and more are handed over to the second server. */
const LARGE = 1000

/**
 * Answers as the hub does: a list of files at a revision, small files by a redirect to the same host, large ones by a redirect to a
 * signed address of another host. That host refuses whoever shows a token, and every question but GET, as signed addresses of S3 do.
 */
export class FakeHub {
  readonly token = `hf_canary${Math.random().toString(36).slice(2)}`
  /** `GET PATH`, in order; requests to the second host begin with `far`. With a range, it follows. */
  readonly asked: string[] = []
  /** The second host breaks each connection after so many bytes. */
  breaksAfter = Infinity
  isDeaf = false
  readonly #repos: readonly FakeRepo[]
  readonly #near: Server = createServer((request, reply) => this.#answer(request, reply))
  readonly #far: Server = createServer((request, reply) => this.#hand(request, reply))

  constructor(repos: readonly FakeRepo[]) {
    this.#repos = repos
  }

  async start(): Promise<void> {
    this.#near.listen(0, '127.0.0.1')
    // Another host, for whoever compares names.
    this.#far.listen(0, 'localhost')
    await Promise.all([once(this.#near, 'listening'), once(this.#far, 'listening')])
  }

  /** As a user stores it: with the address of a mirror, and the token if there is to be one. */
  secret(token: string | undefined): Secret {
    return new Secret(
      `endpoint = http://127.0.0.1:${portOf(this.#near)}\n${token === undefined ? '' : `token=${token}\n`}`,
    )
  }

  async close(): Promise<void> {
    for (const server of [this.#near, this.#far]) {
      server.closeAllConnections()
      server.close()
    }
  }

  #answer(request: IncomingMessage, reply: ServerResponse): void {
    const url = new URL(request.url ?? '', 'http://hub')
    const path = decodeURIComponent(url.pathname)
    this.asked.push(`${request.method ?? ''} ${path}${url.search}`)
    const hasToken = request.headers.authorization === `Bearer ${this.token}`
    if (request.headers.authorization !== undefined && !hasToken) return refuse(reply, 401)
    const kept = /^\/api\/resolve-cache\/(.+)$/.exec(path)?.[1]
    const repo = this.#repos.find(({ id }) => (kept ?? `${path}/`).includes(`${id.replace(/^models\//, '')}/`))
    if (repo === undefined) return refuse(reply, 401)
    const bare = repo.id.replace(/^models\//, '')
    if (path === `/api/${repo.id}/revision/main` && url.searchParams.get('blobs') === 'true') return list(repo, reply)
    if (path.startsWith('/api/') && kept === undefined) return refuse(reply, 404)
    if (repo.isGated === true && !hasToken) return refuse(reply, 403)
    const name = (kept ?? path.slice(1)).slice(`${bare}/${kept === undefined ? 'resolve/' : ''}${COMMIT}/`.length)
    const content = repo.files[name]
    if (content === undefined) return refuse(reply, 404)
    if (kept !== undefined) return void reply.end(content)
    const isLarge = content.length >= LARGE
    const there = isLarge
      ? `http://localhost:${portOf(this.#far)}/${encodeURIComponent(`${repo.id}#${name}`)}?X-Amz-Signature=1`
      : `/api/resolve-cache/${bare}/${COMMIT}/${name.split('/').map(encodeURIComponent).join('/')}`
    reply.writeHead(isLarge ? 302 : 307, { location: there }).end()
  }

  #hand(request: IncomingMessage, reply: ServerResponse): void {
    const { range, authorization } = request.headers
    this.asked.push(`far ${request.method ?? ''}${range === undefined ? '' : ` ${range}`}`)
    if (request.method !== 'GET') return refuse(reply, 403)
    if (authorization !== undefined) return refuse(reply, 400)
    if (this.breaksAfter === 0) return void request.socket.resetAndDestroy()
    const [id, name = ''] = decodeURIComponent(new URL(request.url ?? '', 'http://far').pathname.slice(1)).split('#')
    const content = Buffer.from(this.#repos.find((repo) => repo.id === id)?.files[name] ?? '')
    const from = this.isDeaf ? 0 : Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    const part = content.subarray(from)
    const ranged = from > 0 ? { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` } : {}
    reply.writeHead(from > 0 ? 206 : 200, { 'content-length': part.length, 'accept-ranges': 'bytes', ...ranged })
    if (part.length <= this.breaksAfter) return void reply.end(part)
    reply.write(part.subarray(0, this.breaksAfter), () => setTimeout(() => request.socket.resetAndDestroy(), 50))
  }
}

function list({ id, files }: FakeRepo, reply: ServerResponse): void {
  const blobs = Object.entries(files).map(([name, content]) => [name, Buffer.from(content)] as const)
  const siblings = blobs.map(([rfilename, content]) => ({
    rfilename,
    size: content.length,
    blobId: createHash('sha1').update(content).digest('hex'),
    ...(content.length >= LARGE && {
      lfs: { sha256: createHash('sha256').update(content).digest('hex'), size: content.length, pointerSize: 134 },
    }),
  }))
  reply.setHeader('content-type', 'application/json; charset=utf-8')
  // What its README says is in there, too.
  const cardData = { title: 'a {"rfilename":"none","size":1}', license: 'mit' }
  reply.end(JSON.stringify({ _id: '1', id, sha: COMMIT, cardData, siblings, gated: false }))
}

function refuse(reply: ServerResponse, status: number): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"no"}')
}

function portOf(server: Server): number {
  // Proven: it listens on a port.
  return (server.address() as AddressInfo).port
}
