import { get } from 'node:http'
import { isIP } from 'node:net'
import * as z from 'zod'
import { isPrivateAddress } from '../../rest/address-guard.ts'
import type { OurMachine } from '../api.ts'

/** What the runner on a machine says. */
const said = z.object({
  attempt: z.string(),
  state: z.enum(['starting', 'up', 'ended']),
  code: z.int().optional(),
  why: z.string().max(2000).optional(),
})

type VmStatus = z.infer<typeof said>

interface Reach {
  /** The address of a machine; undefined: it has none yet. */
  readonly hostOf: (machine: OurMachine) => { readonly host: string; readonly port: number } | undefined
  readonly isInternal: boolean
}

const AT_ONCE = 16
const ANSWER_MS = 1500
const BYTES_MOST = 4096

/**
 * What machines say of their containers. A machine that is up in the eyes of the cloud is starting until its runner is heard, and
 * what the runner says is believed only under the attempt of that machine: addresses are used again by others.
 */
export async function askRunners(
  machines: readonly OurMachine[],
  signal: AbortSignal,
  reach: Reach,
): Promise<readonly OurMachine[]> {
  const told = new Map<string, VmStatus | undefined>()
  const queue = machines.filter(({ state }) => state === 'up').values()
  const worker = async (): Promise<void> => {
    for (const machine of queue) {
      const at = reach.hostOf(machine)
      const mayAsk = at !== undefined && isIP(at.host) !== 0 && (reach.isInternal || !isPrivateAddress(at.host))
      told.set(machine.id, mayAsk && !signal.aborted ? await ask(at, machine.note.tag.attempt) : undefined)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return machines.map((machine) => (told.has(machine.id) ? withStatus(machine, told.get(machine.id)) : machine))
}

function withStatus(machine: OurMachine, status: VmStatus | undefined): OurMachine {
  if (status === undefined) return { ...machine, state: 'starting' }
  if (status.state !== 'ended') return { ...machine, state: status.state }
  const { code, why = 'it did not start' } = status
  const exit = code === undefined ? ({ kind: 'start', why } as const) : ({ kind: 'code', code } as const)
  return { ...machine, state: 'ended', lingers: true, exit }
}

/** Undefined: it did not answer, or not as our runner does. */
function ask(
  { host, port }: { readonly host: string; readonly port: number },
  attempt: string,
): Promise<VmStatus | undefined> {
  return new Promise((resolve) => {
    const options = {
      host,
      port,
      path: `/${encodeURIComponent(attempt)}`,
      agent: false,
      signal: AbortSignal.timeout(ANSWER_MS),
    }
    const request = get(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
        if (text.length > BYTES_MOST) response.destroy()
      })
      response.once('error', () => resolve(undefined))
      response.once('close', () =>
        resolve(response.complete && response.statusCode === 200 ? read(text, attempt) : undefined),
      )
    })
    request.once('error', () => resolve(undefined))
  })
}

function read(text: string, attempt: string): VmStatus | undefined {
  try {
    const status = said.safeParse(JSON.parse(text))
    return status.success && status.data.attempt === attempt ? status.data : undefined
  } catch {
    return undefined
  }
}
