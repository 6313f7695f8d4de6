import { get } from 'node:http'
import { expect } from 'vitest'
import { patience } from '../../core/base/cpu.suite.ts'
import { addressText, type PortAddress } from '../../core/life/call/address.ts'
import type { Described, InstanceRef, LogWant } from '../../ports/provider.ts'
import {
  becomes,
  call,
  freshTag,
  isOver,
  isUp,
  launch,
  launchCall,
  stopped,
  within,
  yes,
  type Bench,
  type Sentence,
} from './bench.suite.ts'

/** Access to running work: its ports, logs, programs next to it, secrets; and calls that are aborted. */
export const access: readonly Sentence[] = [
  {
    says: 'a port can be called at the described address, and its health is reported',
    about: 'ports',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'serve' })
      const up = await becomes(bench, ref, (seen) => isUp(seen) && 'healthy' in seen && seen.healthy === true)
      const { host, port, tls } = httpOf(up) ?? {}
      expect(host).toMatch(/^[\w.:-]+$/)
      expect(await statusOf(`${tls === true ? 'https' : 'http'}://${host}:${port}/`)).toBe(200)
      await stopped(bench, ref)
    },
  },
  {
    says: 'a port can be connected to through the provider, and others are refused',
    about: 'ports',
    async holds(bench) {
      const { provider } = bench
      if (provider.dial === undefined) return
      const ref = await launch(bench, { kind: 'serve' })
      const up = await becomes(bench, ref, (seen) => isUp(seen) && 'healthy' in seen && seen.healthy === true)
      const asked = { port: 8080, name: 'http' }
      if (httpOf(up)?.tls !== true) {
        const pipe = yes(await provider.dial(ref, asked, call()))
        await pipe.write(Buffer.from('GET / HTTP/1.0\r\nhost: x\r\n\r\n'))
        const pieces = await Array.fromAsync(pipe.output)
        expect(Buffer.concat(pieces).toString()).toMatch(/^HTTP\/1\.[01] 200/)
      }
      expect(await provider.dial(ref, { port: 1, name: undefined }, call())).toMatchObject({ ok: false })
      await stopped(bench, ref)
      expect(await provider.dial(ref, asked, call())).toMatchObject({ ok: false })
    },
  },
  {
    says: 'two instances with the same port on one provider have different addresses',
    about: 'ports',
    async holds(bench) {
      const refs = [await launch(bench, { kind: 'serve' }), await launch(bench, { kind: 'serve' })]
      const addresses: (string | undefined)[] = []
      for (const ref of refs) {
        const up = await becomes(bench, ref, (seen) => isUp(seen) && 'healthy' in seen && seen.healthy === true)
        const address = httpOf(up)
        addresses.push(address && addressText(address))
      }
      expect(new Set(addresses).size).toBe(2)
      await Promise.all(refs.map((ref) => stopped(bench, ref)))
    },
  },
  {
    says: 'logs come oldest first, and only the last lines if requested',
    about: 'endedLogs',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'lines', lines: 20 })
      await becomes(bench, ref, isOver)
      const all = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`)
      expect(await linesOf(bench, ref, { follow: false, tail: undefined })).toEqual(all)
      expect(await linesOf(bench, ref, { follow: false, tail: 3 })).toEqual(all.slice(-3))
      expect(await linesOf(bench, ref, { follow: false, tail: 0 })).toEqual([])
      expect(await linesOf(bench, ref, { follow: true, tail: 100 })).toEqual(all)
    },
  },
  {
    says: 'logs resume after any line that has a mark, and no line comes twice',
    about: 'endedLogs',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'lines', lines: 5 })
      await becomes(bench, ref, isOver)
      for (const tail of [undefined, 3]) {
        const want = { follow: false, tail }
        const told = await Array.fromAsync(bench.provider.logs?.(ref, want, call()) ?? [])
        for (const [index, { mark }] of told.entries()) {
          if (mark === undefined) continue
          expect(mark).toMatch(/^[\w.:-]{1,64}$/)
          const rest = told.slice(index + 1).map(({ text }) => text)
          expect(await linesOf(bench, ref, { follow: true, tail: 1, after: mark })).toEqual(rest)
        }
      }
      expect(await linesOf(bench, ref, { follow: false, tail: undefined, after: 'no-such:mark' })).toBeDefined()
    },
  },
  {
    says: 'followed logs end when the instance ends, or when the reader stops',
    about: 'logs',
    async holds(bench) {
      const short = await launch(bench, { kind: 'lines', lines: 3 })
      expect(await linesOf(bench, short, { follow: true, tail: undefined })).toEqual(['line 1', 'line 2', 'line 3'])

      const long = await launch(bench, { kind: 'long' })
      await becomes(bench, long, isUp)
      const control = new AbortController()
      const lines = bench.provider.logs?.(long, { follow: true, tail: undefined }, call(control.signal)) ?? []
      const ended = drain(lines)
      control.abort()
      await soon(ended)
      await stopped(bench, long)
    },
  },
  {
    says: 'logs of an instance that never existed are empty',
    about: 'logs',
    async holds(bench) {
      const ref = { tag: freshTag(), instance: undefined }
      expect(await linesOf(bench, ref, { follow: true, tail: undefined })).toEqual([])
    },
  },
  {
    says: 'a program next to the workload returns its exit code and its output',
    about: 'exec',
    async holds(bench) {
      const ref = await launch(bench, { kind: 'long' })
      await becomes(bench, ref, isUp)
      const exec = bench.provider.exec?.bind(bench.provider)
      const argv = ['/bin/sh', '-c', 'echo "$1"; echo no >&2; exit 4', 'sh', 'a b;c']
      expect(yes((await exec?.(ref, argv, call())) ?? NOTHING)).toEqual({ code: 4, out: 'a b;c\n', err: 'no\n' })
      await stopped(bench, ref)
      expect(await exec?.(ref, argv, call())).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
    },
  },
  {
    says: 'a secret reaches the workload and shows up nowhere else',
    about: 'secrets',
    async holds(bench) {
      const value = 'canary-7f3a"$(id)\'\\ end'
      const tag = freshTag()
      const order = { ...(await bench.order({ kind: 'secret' })), tag, secrets: ['TOKEN'] }
      const launched = yes(await bench.provider.launch(order, launchCall({ TOKEN: value })))
      const ref = { tag, instance: launched.instance }
      await becomes(bench, ref, isUp)
      if (bench.provider.can.logs) {
        const said = `TOKEN has ${value.length} characters`
        await within(bench, async () => (await linesOf(bench, ref, { follow: false, tail: undefined })).includes(said))
      }
      const seen = [
        yes(await bench.provider.describe(ref, call())),
        yes(await bench.provider.list(tag.owner, call())),
        yes(await bench.provider.offers(call())),
        launched,
        await bench.onlookers?.(),
      ]
      expect(JSON.stringify(seen)).not.toContain('canary-7f3a')
      await stopped(bench, ref)
    },
  },
  {
    says: 'a secret whose value is missing is a bad request',
    about: 'secrets',
    async holds(bench) {
      const order = { ...(await bench.order({ kind: 'secret' })), tag: freshTag(), secrets: ['TOKEN'] }
      const answer = await bench.provider.launch(order, launchCall())
      expect(answer).toMatchObject({ ok: false, fault: { class: 'BAD_REQUEST' } })
    },
  },
  {
    says: 'an aborted call ends soon',
    async holds(bench) {
      const over = call(AbortSignal.abort())
      const ref = { tag: freshTag(), instance: undefined }
      const order = { ...(await bench.order({ kind: 'long' })), tag: ref.tag }
      const calls = [
        () => bench.provider.offers(over),
        () => bench.provider.list('owner', over),
        () => bench.provider.describe(ref, over),
        () => bench.provider.stop(ref, over),
        () => bench.provider.launch(order, { ...over, secrets: new Map() }),
      ]
      for (const one of calls) await soon(one())
      await stopped(bench, ref)
    },
  },
]

function httpOf(described: Described): PortAddress | undefined {
  return 'ports' in described ? described.ports?.['http'] : undefined
}

const NOTHING = { ok: false, fault: { class: 'BAD_REQUEST', message: 'there is no exec' } } as const

async function linesOf({ provider }: Bench, ref: InstanceRef, want: LogWant): Promise<readonly string[]> {
  const lines: string[] = []
  for await (const { text } of provider.logs?.(ref, want, call()) ?? []) lines.push(text)
  return lines
}

async function drain(lines: AsyncIterable<unknown> | readonly unknown[]): Promise<void> {
  for await (const line of lines) void line
}

/** Settles, whichever way, within two seconds of a machine that has time. */
async function soon(promise: Promise<unknown>): Promise<void> {
  const late = new Promise((resolve) =>
    AbortSignal.timeout(Math.ceil(2000 * patience())).addEventListener('abort', () => resolve('late')),
  )
  const first = await Promise.race([promise.then(() => 'in time').catch(() => 'in time'), late])
  expect(first).toBe('in time')
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    }).once('error', reject)
  })
}
