import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'

export { apiKey } from '../cloud/settings.ts'

/** How RunPod is used. */
export interface RunpodSettings extends CloudSettings {
  readonly clouds: readonly RunpodCloud[]
  /** `proxy`: HTTP over TLS through RunPod's proxy. `direct`: plain TCP at the machine's public address. */
  readonly ports: 'proxy' | 'direct'
  readonly diskGb: number
  /** RunPod's id of the credential for a private registry. */
  readonly registry: string | undefined
}

export type RunpodCloud = 'SECURE' | 'COMMUNITY'

const CLOUDS = 'must be a list of secure and community'

export const runpodSettings = z
  .strictObject({
    ...cloudSettings,
    clouds: z
      .array(z.enum(['secure', 'community'], { error: CLOUDS }), { error: CLOUDS })
      .min(1, { error: CLOUDS })
      .default(['secure']),
    ports: z.enum(['proxy', 'direct'], { error: 'must be proxy or direct' }).default('proxy'),
    disk: z.int({ error: 'must be a whole number of GB' }).min(1).max(10_000).default(50),
    registry: z.string({ error: 'must be the id of a registry credential' }).min(1).max(200).optional(),
  })
  .transform(({ clouds, ports, disk, registry, ...common }): RunpodSettings => ({
    ...readCloudSettings(common, 'https://api.runpod.io'),
    clouds: clouds.map((cloud) => (cloud === 'secure' ? 'SECURE' : 'COMMUNITY')),
    ports,
    diskGb: disk,
    registry,
  }))
