import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'

export { apiKey } from '../cloud/settings.ts'

/** How Yotta is used. */
export interface YottaSettings extends CloudSettings {
  /** Dollars an hour for one card, by Yotta's name of it: its API tells no prices. */
  readonly prices: Readonly<Record<string, number>>
  readonly diskGb: number
  readonly registryAuth: number | undefined
}

const PRICES = 'must be prices in dollars an hour for one card, such as { NVIDIA_RTX_4090_24G: 0.59 }'

export const yottaSettings = z
  .strictObject({
    ...cloudSettings,
    prices: z
      .record(z.string().min(1), z.number({ error: PRICES }).positive({ error: PRICES }), { error: PRICES })
      .default({}),
    disk: z.int({ error: 'must be a whole number of GB' }).min(20).max(10_000).default(50),
    registry_auth: z.int({ error: 'must be the id of a registry credential' }).min(1).optional(),
  })
  .transform(({ prices, disk, registry_auth, ...common }): YottaSettings => ({
    ...readCloudSettings(common, 'https://api.yottalabs.ai'),
    prices,
    diskGb: disk,
    registryAuth: registry_auth,
  }))
