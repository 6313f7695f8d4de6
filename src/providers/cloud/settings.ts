import * as z from 'zod'

const ADDRESS = 'must be an address such as https://api.example.com'
const NAMES = 'must be a list of names such as [us-east-1, eu-west-2]'

/** Settings that every cloud has. */
export const cloudSettings = {
  endpoint: z.url({ protocol: /^https?$/, error: ADDRESS }).optional(),
  internal: z.boolean({ error: 'must be true or false' }).default(false),
  regions: z
    .array(z.string().min(1).max(100), { error: NAMES })
    .max(200, { error: 'has room for 200 names' })
    .optional(),
}

/** Where the API is, what of it is used, and whether private addresses may be called. */
export interface CloudSettings {
  readonly endpoint: string
  readonly isInternal: boolean
  /** Undefined: all of them. */
  readonly regions: readonly string[] | undefined
}

/** What was written, with what it means where it was left out. */
export function readCloudSettings(
  written: {
    readonly endpoint?: string | undefined
    readonly internal: boolean
    readonly regions?: readonly string[] | undefined
  },
  usualEndpoint: string,
): CloudSettings {
  return { endpoint: written.endpoint ?? usualEndpoint, isInternal: written.internal, regions: written.regions }
}

/** Whether offers of this region are wanted. */
export function isWanted({ regions }: Pick<CloudSettings, 'regions'>, region: string): boolean {
  return regions === undefined || regions.includes(region)
}

/** A key as text without blanks. Messages never repeat it. */
export const apiKey = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{8,512}$/, { error: 'must be an API key: 8 to 512 letters, digits and signs, without blanks' })
