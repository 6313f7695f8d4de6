import { isIP } from 'node:net'
import * as z from 'zod'
import type { Exit } from '../../../core/life/call/exit.ts'
import type { Network } from '../../../ports/network.ts'
import { isPrivateAddress } from '../../rest/address-guard.ts'
import { nodeNetwork } from '../../rest/network.ts'
import type { OurMachine } from '../api.ts'

/** What the runner on a machine says. */
const said = z.object({
  attempt: z.string(),
  state: z.enum(['starting', 'up', 'ended']),
  code: z.int().optional(),
  why: z.string().max(2000).optional(),
  /** What it says is about storage. */
  storage: z.literal(true).optional(),
  /** When the newest checkpoint was saved, in seconds since 1970. */
  checkpoint: z.number().positive().optional(),
})

type VmStatus = z.infer<typeof said>

interface Reach {
  /** Left out: that of this host. */
  readonly network?: Network | undefined
  readonly isInternal: boolean
  /** The port of every runner. */
  readonly port: number
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
      const { id, address = '', note } = machine
      const mayAsk = isIP(address) !== 0 && (reach.isInternal || !isPrivateAddress(address))
      told.set(id, mayAsk && !signal.aborted ? await ask(address, note.tag.attempt, reach) : undefined)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return machines.map((machine) => (told.has(machine.id) ? withStatus(machine, told.get(machine.id)) : machine))
}

function withStatus(machine: OurMachine, status: VmStatus | undefined): OurMachine {
  if (status === undefined) return { ...machine, state: 'starting' }
  const checkpoint = status.checkpoint === undefined ? {} : { checkpointMs: status.checkpoint * 1000 }
  if (status.state !== 'ended') return { ...machine, ...checkpoint, state: status.state }
  return { ...machine, ...checkpoint, state: 'ended', lingers: true, exit: exitOf(status) }
}

function exitOf({ code, storage, why = 'it did not start' }: VmStatus): Exit {
  if (storage === true) return { kind: 'storage', why }
  return code === undefined ? { kind: 'start', why } : { kind: 'code', code }
}

/** Undefined: it did not answer, or not as our runner does. */
async function ask(host: string, attempt: string, reach: Reach): Promise<VmStatus | undefined> {
  const { network = nodeNetwork, isInternal, port } = reach
  const url = new URL(`http://${isIP(host) === 6 ? `[${host}]` : host}:${port}/${encodeURIComponent(attempt)}`)
  const bounds = { deadlineMs: ANSWER_MS, bytesMost: BYTES_MOST, reach: isInternal ? 'any' : 'public' } as const
  return network.send({ method: 'GET', url, headers: {}, body: undefined }, bounds).then(
    ({ status, text }) => (status === 200 ? read(text, attempt) : undefined),
    () => undefined,
  )
}

function read(text: string, attempt: string): VmStatus | undefined {
  try {
    const status = said.safeParse(JSON.parse(text))
    return status.success && status.data.attempt === attempt ? status.data : undefined
  } catch {
    return undefined
  }
}
