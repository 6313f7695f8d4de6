import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'
import { STATUS_PORT } from '../cloud/vm/plan.ts'

export { apiKey } from '../cloud/settings.ts'

/** How DigitalOcean is used. */
export interface DigitaloceanSettings extends CloudSettings {
  /** What the machine is started from: it must have docker and the driver. */
  readonly image: string
  readonly sshKeys: readonly string[]
  readonly statusPort: number
}

const KEYS = 'must be a list of ids or fingerprints of SSH keys in the account'

export const digitaloceanSettings = z
  .strictObject({
    ...cloudSettings,
    image: z.string({ error: 'must be the slug or id of an image' }).min(1).max(100).default('gpu-h100x1-base'),
    ssh_keys: z
      .array(z.string({ error: KEYS }).min(1).max(100), { error: KEYS })
      .max(20)
      .default([]),
    status_port: z.int({ error: 'must be a port' }).min(1).max(65_535).default(STATUS_PORT),
  })
  .transform(({ image, ssh_keys, status_port, ...common }): DigitaloceanSettings => ({
    ...readCloudSettings(common, 'https://api.digitalocean.com'),
    image,
    sshKeys: ssh_keys,
    statusPort: status_port,
  }))
