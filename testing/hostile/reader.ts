import { connect, type Socket } from 'node:net'
import { sleep } from '../plane/plane.ts'

interface Target {
  readonly url: string
  readonly token: string
  readonly stop: AbortSignal
}

/** Followers that never go, and one question for all events again and again. */
export class Streams {
  readonly #target: Target & { readonly count: number }
  refused = 0

  constructor(target: Target & { readonly count: number }) {
    this.#target = target
  }

  async run(): Promise<void> {
    const { count, stop } = this.#target
    const all = Array.from({ length: count }, () => this.#follow())
    while (!stop.aborted) {
      await this.#get('/v2/events').catch(() => undefined)
      await sleep(50)
    }
    await Promise.all(all)
  }

  async #follow(): Promise<void> {
    while (!this.#target.stop.aborted) {
      const status = await this.#get('/v2/events?follow=true').catch(() => 0)
      if (status === 503) this.refused++
      await sleep(1000)
    }
  }

  async #get(path: string): Promise<number> {
    const { url, token, stop } = this.#target
    const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` }, signal: stop })
    for await (const chunk of answer.body ?? []) void chunk
    return answer.status
  }
}

/** Requests without a token that are begun and never ended; what is ended by the other side is begun again. */
export class HalfRequests {
  readonly #port: number
  readonly #count: number
  readonly #stop: AbortSignal

  constructor({ port, count, stop }: { readonly port: number; readonly count: number; readonly stop: AbortSignal }) {
    this.#port = port
    this.#count = count
    this.#stop = stop
  }

  async run(): Promise<void> {
    const open = new Set<Socket>()
    while (!this.#stop.aborted) {
      for (let at = 0; at < 200 && open.size < this.#count; at++) this.#begin(open)
      await sleep(100)
    }
    for (const socket of open) socket.destroy()
  }

  #begin(open: Set<Socket>): void {
    const socket = connect(this.#port, '127.0.0.1')
    open.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => open.delete(socket))
    socket.on('connect', () => socket.write('GET /v2/workloads HTTP/1.1\r\nHost: localhost\r\n'))
  }
}

/** Reads the largest logs there are: their last line, all of them, and as they grow. */
export async function readLogs({
  url,
  token,
  names,
  stop,
}: Target & { readonly names: readonly string[] }): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const read = async (name: string, query: string): Promise<void> => {
    const answer = await fetch(`${url}/v2/projects/hostile/workloads/${name}/logs${query}`, { headers, signal: stop })
    for await (const chunk of answer.body ?? []) void chunk
  }
  const readOne = async (name: string): Promise<void> => {
    while (!stop.aborted) {
      for (const query of ['?tail=1', '', '?tail=100000']) await read(name, query).catch(() => undefined)
      await sleep(200)
    }
  }
  await Promise.all(names.map(readOne))
}
