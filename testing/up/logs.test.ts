import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RealPlane, until } from '../plane/plane.ts'

const CONFIG = `berth: v1
kind: config
default_policy: at-home
providers:
  here: { kind: local, settings: { runtime: process, cpu: 8, memory: 8Gi }, trust: internal }
policies:
  at-home:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota] }
`

/** Bursts of lines with rests between, so that a line may break in both. */
const PRINTING = 'n=0; while [ $n -lt 400 ]; do n=$((n+1)); echo "line $n"; [ $((n % 20)) = 0 ] && sleep 0.2; done'

let folder = ''
let plane: RealPlane

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-logs-'))
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  plane = new RealPlane({ folder: join(folder, 'data'), config })
  expect(await plane.start()).toBe(true)
})
afterEach(async () => {
  await plane.client({ tries: 'several', timeoutMs: 5000 }).remove({ project: 'default', name: 'talk' })
  await until('nothing is left', { withinMs: 30_000 }, async () => {
    const { items } = await plane.client({ tries: 'several', timeoutMs: 5000 }).workloads({})
    return items.length === 0 ? { found: true } : 'something is'
  })
  await plane.kill()
  rmSync(folder, { recursive: true, force: true })
})

test('logs that are followed over lines that break, and a control plane that is killed, are whole and without doubles', async () => {
  await apply()
  const seen: Line[] = []
  let position: string | undefined
  for (const count of [1, 7, 33, 64, 65, 130, 5]) {
    position = await follow({ position, upTo: count, seen })
    if (count === 64) {
      await plane.kill()
      expect(await plane.start()).toBe(true)
    }
  }
  await follow({ position, upTo: 800 - seen.length, seen })
  const whole = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`)
  for (const slot of ['0', '1'])
    expect(seen.filter((line) => line.slot === slot).map(({ text }) => text)).toEqual(whole)
})

test('the last lines are taken once: what follows them after a break is not cut', async () => {
  await apply()
  await until('much was printed', { withinMs: 20_000 }, async () => {
    const lines: Line[] = []
    await follow({ query: 'slot=0', position: undefined, upTo: 1000, seen: lines })
    return lines.length > 100 ? { found: true } : `${lines.length} lines`
  })
  const seen: Line[] = []
  const query = 'follow=true&slot=0&tail=3'
  let position = await follow({ query, position: undefined, upTo: 2, seen })
  await until('more was printed', { withinMs: 20_000 }, async () => {
    const lines: Line[] = []
    await follow({ query: 'slot=0', position: undefined, upTo: 1000, seen: lines })
    return lines.length > 200 ? { found: true } : `${lines.length} lines`
  })
  position = await follow({ query, position, upTo: 90, seen })
  const first = Number(seen[0]?.text.replace('line ', ''))
  expect(first).toBeGreaterThan(90)
  expect(seen.map(({ text }) => text)).toEqual(Array.from({ length: 92 }, (_, at) => `line ${first + at}`))
})

interface Line {
  readonly slot: string
  readonly text: string
}

interface Following {
  readonly query?: string
  readonly position: string | undefined
  /** After so many lines the connection is cut. */
  readonly upTo: number
  readonly seen: Line[]
}

/** As a browser would: the last id that came goes into the header of the next try. */
async function follow({ query = 'follow=true', position, upTo, seen }: Following): Promise<string | undefined> {
  const cut = new AbortController()
  const headers = {
    authorization: `Bearer ${plane.token}`,
    ...(position !== undefined && { 'last-event-id': position }),
  }
  const url = `${plane.url}/v2/projects/default/workloads/talk/logs?${query}`
  const answer = await fetch(url, { headers, signal: AbortSignal.any([cut.signal, AbortSignal.timeout(60_000)]) })
  expect(answer.status).toBe(200)
  let last = position
  let left = upTo
  let text = ''
  for await (const chunk of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const entries = `${text}${chunk}`.split('\n\n')
    text = entries.pop() ?? ''
    for (const entry of entries) {
      const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(entry) ?? []
      if (id === undefined || data === undefined) continue
      seen.push(JSON.parse(data))
      last = id
      left--
      if (left === 0) break
    }
    if (left === 0) break
  }
  cut.abort()
  return last
}

async function apply(): Promise<void> {
  const args = [`sleep 1; ${PRINTING}; exec sleep 100`]
  const manifest = {
    berth: 'v1',
    kind: 'service',
    name: 'talk',
    image: 'talk',
    command: ['sh', '-c'],
    args,
    replicas: 2,
  }
  const text = JSON.stringify({ ...manifest, resources: { cpu: 1, memory: '1Gi' } })
  const client = plane.client({ tries: 'several', timeoutMs: 5000 })
  await client.apply({ project: 'default', text, file: 'talk.yaml', idempotencyKey: 'talk' })
  await until('it runs', { withinMs: 20_000 }, async () => {
    const { ready } = await client.workload({ project: 'default', name: 'talk' })
    return ready === 2 ? { found: true } : `${ready} ready`
  })
}
