import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '../../../src/core/life/call/order.ts'
import type { Provider, ProviderDeps } from '../../../src/ports/provider.ts'
import { Secret } from '../../../src/ports/secret.ts'
import type { Bench, Sample } from '../../../src/providers/contract/contract.suite.ts'
import { problemText, readSettings } from '../../../src/providers/settings.ts'
import { orderFor, type CloudCase } from '../bench.suite.ts'
import { spending, sweep, type Purse } from './purse.ts'

interface LiveOptions {
  readonly key: string
  readonly purse: Purse
  /** Settings of the provider, beyond those of the pretended cloud. */
  readonly settings: Readonly<Record<string, unknown>>
  /** What runs, with a shell in it; undefined: busybox. Clouds that take no arguments need one that does as it is told. */
  readonly image: string | undefined
}

/** Machines take minutes to start: the bench's half a minute is twenty of them. */
const PASS_LEAST_MS = 2000

/** A provider that talks to the live service. What an earlier run left behind is ended first. */
export async function liveBench(of: CloudCase, { key, purse, settings, image }: LiveOptions): Promise<Bench> {
  const folder = mkdtempSync(join(tmpdir(), 'berth-live-'))
  const deps = liveDeps(folder, key)
  const open = async (): Promise<Provider> => {
    const read = readSettings(of.kind, { ...of.settings, ...settings })
    if (!read.ok) throw new Error(read.problems.map(problemText).join('\n'))
    return spending(await of.kind.open('rented', read.settings, deps), purse)
  }
  const pass = (ms: number): Promise<void> => sleep(Math.max(ms, PASS_LEAST_MS))
  const provider = await open()
  await sweep(provider, purse, pass)
  return {
    provider,
    reopen: open,
    order: (sample) => cheapest(provider, sample, image),
    pass,
    cleanup: async () => {
      await sweep(provider, purse, pass)
      await provider.close?.()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function liveDeps(folder: string, key: string): ProviderDeps {
  let serial = 0
  const silent = (): void => undefined
  return {
    clock: { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs: () => 0 },
    timers: { sleep: (ms, signal) => sleep(ms, undefined, { signal }).catch(() => undefined) },
    random: { next: () => Math.random(), id: () => `live-${process.pid}-${serial++}` },
    log: { info: silent, warn: silent, error: silent },
    folder,
    credential: async () => new Secret(key),
  }
}

/** An order on the cheapest machine that can be had on demand. */
async function cheapest(provider: Provider, sample: Sample, image: string | undefined): Promise<Omit<Order, 'tag'>> {
  const answer = await provider.offers({ signal: new AbortController().signal, requestId: 'offers' })
  if (!answer.ok) throw new Error(answer.fault.message)
  const [offer] = answer.value.offers
    .filter(
      ({ stock, quarantine, usdPerHour }) => stock?.level !== 'sold_out' && !quarantine && usdPerHour !== undefined,
    )
    .toSorted((one, two) => (one.usdPerHour ?? 0) - (two.usdPerHour ?? 0))
  if (offer === undefined) throw new Error('there is no offer')
  const order = orderFor(offer, sample)
  if (sample.kind === 'bad') return order
  return { ...order, image: image ?? 'docker.io/library/busybox:1.37', args: ['sh', '-c', scriptOf(sample)] }
}

function scriptOf(sample: Exclude<Sample, { readonly kind: 'bad' }>): string {
  const forEver = 'trap "exit 0" TERM; while :; do sleep 1 & wait; done'
  switch (sample.kind) {
    case 'long':
      return forEver
    case 'exit':
      return `exit ${sample.code}`
    case 'lines':
      return `n=0; while [ $n -lt ${sample.lines} ]; do n=$((n+1)); echo "line $n"; done`
    case 'serve':
      return 'mkdir -p /site; echo ok > /site/index.html; httpd -f -p "$PORT" -h /site'
    case 'secret':
      return `echo "TOKEN has \${#TOKEN} characters"; ${forEver}`
  }
}
