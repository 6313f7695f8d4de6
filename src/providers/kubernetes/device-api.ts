import * as z from 'zod'
import type { Fault } from '../../core/life/call/fault.ts'
import type { Call } from '../../ports/provider.ts'
import type { KubeClient } from './api/client.ts'
import { DEVICES } from './names.ts'

/** Versions of the API that claims can be written in, the newest first. */
const SPOKEN = ['v1', 'v1beta2', 'v1beta1']

/** In which version a cluster serves claims for devices; undefined: in none, or in none that we know. */
export type DeviceApi =
  | { readonly ok: true; readonly version: string | undefined }
  | { readonly ok: false; readonly fault: Fault }

export async function deviceApi(client: KubeClient, call: Pick<Call, 'signal' | 'requestId'>): Promise<DeviceApi> {
  const reply = await client.call({ method: 'GET', path: `/apis/${DEVICES}` }, call)
  if (!reply.ok && (reply.status === 404 || reply.status === 403)) return { ok: true, version: undefined }
  if (!reply.ok) return { ok: false, fault: reply.fault }
  const served = groupForm.safeParse(reply.value).data?.versions.map(({ version }) => version) ?? []
  return { ok: true, version: SPOKEN.find((version) => served.includes(version)) }
}

const groupForm = z.object({ versions: z.array(z.object({ version: z.string() })) })
