import { z } from 'zod'
import { count, file, limit, moment, name, PAGE_MAX, text, word } from './fields.ts'
import { offerReport, planReport } from './plan.ts'

// What is asked about offers, and what is answered.

/** The most machines whose history is returned at once. */
const HISTORY_MAX = 100

export const offersQuery = z.strictObject({
  provider: name.optional(),
  gpus: z
    .string()
    .max(1024)
    .regex(/^[a-z0-9-]+(,[a-z0-9-]+)*$/, 'Give ids of accelerators or families, separated by commas.')
    .transform((text) => text.split(','))
    .optional(),
  sort: z.enum(['price', 'provider']).optional(),
  limit: limit.optional(),
})
export const offersSearchBody = z.strictObject({
  text,
  file,
  spot: z.enum(['never', 'allowed', 'only']).optional(),
  limit: z.int().min(1).max(PAGE_MAX).optional(),
})
/** All machines, those of one name, or those that meet a manifest. */
export const offersHistoryBody = z.strictObject({
  text: text.optional(),
  file,
  spot: z.enum(['never', 'allowed', 'only']).optional(),
  provider: name.optional(),
  machine: z.string().min(1).max(500).optional(),
  gpus: z.array(z.string().max(64)).max(64).optional(),
  since_ms: moment.nonnegative().optional(),
  limit: z.int().min(1).max(HISTORY_MAX).optional(),
})
/** When each provider last said what it offers; left out by older control planes, and `read_ms` where it never did. */
const offersRead = z
  .array(
    z.object({ provider: z.string(), read_ms: moment.optional(), fresh_ms: count.optional(), complete: z.boolean() }),
  )
  .optional()

export const offersListed = z
  .object({
    matching: count,
    quarantined: count,
    providers: z.array(z.string()),
    offers: z.array(offerReport),
    read: offersRead,
  })
  .meta({ id: 'Offers' })

export const offersFound = z
  .object({ offers: z.array(offerReport), plan: planReport, read: offersRead })
  .meta({ id: 'OffersFound' })

/** Prices and stock over time: each point holds until the next. */
export const offersHistory = z
  .object({
    since_ms: moment,
    until_ms: moment,
    matching: count,
    series: z.array(
      z.object({
        offer: offerReport,
        seen_ms: moment,
        points: z.array(
          z.object({
            at_ms: moment,
            usd_per_hour: z.number().optional(),
            spot_usd_per_hour: z.number().optional(),
            stock: word('available', 'low', 'sold_out', 'unknown', 'gone', 'unread'),
            units: count.optional(),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'OffersHistory' })
