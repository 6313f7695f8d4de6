import type { Call, LogLine, ProviderDeps } from '../../ports/provider.ts'
import { Broken } from '../../ports/network.ts'
import { exchange } from '../rest/exchange.ts'
import { nodeNetwork } from '../rest/network.ts'
import type { VastApi } from './api.ts'
import type { VastSettings } from './settings.ts'

/** A log is written on request, so it is not asked for more often. */
export const LOGS_EACH_MS = 20_000
/** It is there within seconds, and so often it is looked for. */
const LOOKS_MOST = 20
const LOOK_MS = 1000
const DEADLINE_MS = 15_000
const BYTES_MOST = 8 * 1024 * 1024

interface Reading {
  readonly settings: Pick<VastSettings, 'isInternal'>
  readonly deps: Pick<ProviderDeps, 'network' | 'timers'>
  readonly call: Call
}

/**
 * Vast writes the log of an instance to a file on another host, and says where. That host gets no key, and is called within the same
 * limits as the API: TLS, no private address, no redirect to yet another host, so much and no more.
 */
export async function readLog(
  api: VastApi,
  id: string,
  { settings, deps, call }: Reading,
): Promise<readonly LogLine[]> {
  const answer = await api.logAddress(id, call)
  if (!answer.ok) throw new Error(`Vast does not show the log of ${id}: ${answer.fault.message}`)
  if (answer.value === undefined) return []
  const url = URL.parse(answer.value)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw new Error(`Vast says that the log of ${id} is at no address that can be read.`)
  for (let look = 0; look < LOOKS_MOST && !call.signal.aborted; look++) {
    const text = await fileAt(url, { settings, deps, call })
    if (text !== undefined) return linesIn(text)
    await deps.timers.sleep(LOOK_MS, call.signal)
  }
  throw new Error(`Vast did not write the log of ${id} in time.`)
}

/** Undefined: it is not there yet, which a store may say as a 403. */
async function fileAt(url: URL, { settings, deps, call }: Reading): Promise<string | undefined> {
  const { network = nodeNetwork } = deps
  const outgoing = { method: 'GET', url, headers: { 'accept-encoding': 'identity' }, body: undefined } as const
  const bounds = {
    signal: call.signal,
    deadlineMs: DEADLINE_MS,
    bytesMost: BYTES_MOST,
    reach: settings.isInternal ? 'any' : 'public',
  } as const
  try {
    const { status, text } = await exchange(network, outgoing, bounds)
    return status === 200 ? text : undefined
  } catch (error) {
    if (error instanceof Broken)
      throw new Error(`The log at ${url.host} cannot be read: ${error.message}.`, { cause: error })
    throw error
  }
}

function linesIn(text: string): readonly LogLine[] {
  const lines = text.split(/\r?\n/)
  const whole = lines.at(-1) === '' ? lines.slice(0, -1) : lines
  return whole.map((line) => ({ atMs: undefined, stream: 'out', text: line }))
}
