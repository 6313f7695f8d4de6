import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'
import { STATUS_PORT } from '../cloud/vm/plan.ts'

export { apiKey } from '../cloud/settings.ts'

/** How Shadeform is used. */
export interface ShadeformSettings extends CloudSettings {
  /** Which of the clouds behind it; undefined: all of them. */
  readonly clouds: readonly string[] | undefined
  /** On Shadeform's own account with each cloud, or on the user's. */
  readonly isShadeCloud: boolean
  readonly sshKey: string | undefined
  readonly statusPort: number
}

const CLOUDS = 'must be a list of clouds such as [hyperstack, lambdalabs]'

export const shadeformSettings = z
  .strictObject({
    ...cloudSettings,
    clouds: z.array(z.string().min(1).max(60), { error: CLOUDS }).max(50, { error: CLOUDS }).optional(),
    shade_cloud: z.boolean({ error: 'must be true or false' }).default(true),
    ssh_key: z.string({ error: 'must be the id of an SSH key' }).min(1).max(100).optional(),
    status_port: z.int({ error: 'must be a port' }).min(1).max(65_535).default(STATUS_PORT),
  })
  .transform(({ clouds, shade_cloud, ssh_key, status_port, ...common }): ShadeformSettings => ({
    ...readCloudSettings(common, 'https://api.shadeform.ai/v1'),
    clouds,
    isShadeCloud: shade_cloud,
    sshKey: ssh_key,
    statusPort: status_port,
  }))
