import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { PlaneChild } from './api/child.ts'
import { flag, percentile, round, type Bench } from './bench.ts'

/** A token may have this many streams open. */
const OF_A_TOKEN = 32

/** What open streams cost a control plane at rest, and how soon an event reaches all of them. */
export const streams: Bench = {
  name: 'streams',
  about:
    '500 open streams of events: processor at rest, and time until an event is everywhere (--streams N, --seconds N)',
  async run(argv) {
    const count = Number(flag(argv, 'streams', '500'))
    const ms = Number(flag(argv, 'seconds', '20')) * 1000
    const plane = await PlaneChild.start()
    try {
      const tokens = await plane.ask<readonly string[]>({ kind: 'tokens', count: Math.ceil(count / OF_A_TOKEN) })
      const empty = await plane.load(ms / 2)
      const readers: Reader[] = []
      for (let at = 0; at < count; at++) readers.push(await Reader.open(plane.port, tokens[at % tokens.length] ?? ''))
      // What opening them has left to do is not their rest.
      await plane.load(3000)
      const resting = await plane.load(ms)
      const lateMs: number[] = []
      for (let round = 0; round < 20; round++) {
        const all = readers.map((reader) => reader.next())
        const atMs = await plane.ask<number>({ kind: 'event', slot: `${round}` })
        lateMs.push(Math.max(...(await Promise.all(all))) - atMs)
      }
      readers.forEach((reader) => reader.close())
      return {
        streams: count,
        cpu_percent_without: round(empty),
        cpu_percent_at_rest: round(resting),
        cpu_percent_of_streams: round(Math.max(0, resting - empty)),
        event_everywhere_ms_p50: round(percentile(lateMs, 0.5)),
        event_everywhere_ms_max: round(Math.max(...lateMs)),
        floor: { cpu_percent_of_streams: 5, event_everywhere_ms_max: 200 },
      }
    } finally {
      await plane.end()
    }
  },
}

/** One stream, and when its next event comes. */
class Reader {
  readonly #response: IncomingMessage
  #come: (atMs: number) => void = () => undefined

  private constructor(response: IncomingMessage) {
    this.#response = response
    response.setEncoding('utf8')
    response.on('data', (text: string) => {
      if (text.includes('data: {')) this.#come(Date.now())
    })
  }

  static async open(port: number, token: string): Promise<Reader> {
    const headers = { authorization: `Bearer ${token}` }
    const request = get({ host: '127.0.0.1', port, path: '/v2/events?follow=true&tail=0', headers, agent: false })
    const [response] = await once(request, 'response')
    if (response.statusCode !== 200) throw new Error(`the stream was refused: ${response.statusCode}`)
    return new Reader(response)
  }

  next(): Promise<number> {
    return new Promise((resolve) => (this.#come = resolve))
  }

  close(): void {
    this.#response.destroy()
  }
}
