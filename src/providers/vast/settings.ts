import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'

export { apiKey } from '../cloud/settings.ts'

/** How Vast is used. */
export interface VastSettings extends CloudSettings {
  /** Only machines that Vast has checked. */
  readonly isVerified: boolean
  readonly reliabilityMin: number
  readonly offersMost: number
  readonly diskGb: number
}

const SHARE = 'must be a share from 0 to 1, such as 0.98'

export const vastSettings = z
  .strictObject({
    ...cloudSettings,
    verified: z.boolean({ error: 'must be true or false' }).default(true),
    min_reliability: z.number({ error: SHARE }).min(0, { error: SHARE }).max(1, { error: SHARE }).default(0.95),
    most_offers: z.int({ error: 'must be a whole number' }).min(1).max(5000).default(1000),
    disk: z.int({ error: 'must be a whole number of GB' }).min(8).max(10_000).default(50),
  })
  .transform(({ verified, min_reliability, most_offers, disk, ...common }): VastSettings => ({
    ...readCloudSettings(common, 'https://console.vast.ai'),
    isVerified: verified,
    reliabilityMin: min_reliability,
    offersMost: most_offers,
    diskGb: disk,
  }))
