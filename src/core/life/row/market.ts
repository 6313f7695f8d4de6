import * as z from 'zod'
import type { MarketRow } from '../../offer/market.ts'
import { formatOf } from './format.ts'
import { flag, number, text } from './parts.ts'

const facts = z.object({
  gpu: z
    .object({
      model: text,
      count: number,
      slice: z.object({ kind: z.enum(['mig', 'share']), profile: text.optional(), gib: number }).optional(),
      link: z.enum(['pcie', 'nvlink', 'nvswitch']).optional(),
      of: number.optional(),
    })
    .optional(),
  cpu: number.optional(),
  memoryGib: number.optional(),
  diskGib: number.optional(),
  volumeGib: number.optional(),
  hostArch: z.enum(['amd64', 'arm64']).optional(),
  driver: text.optional(),
  cuda: text.optional(),
  inbound: flag.optional(),
  domain: z.enum(['zone', 'rack', 'nvlink_domain']).optional(),
  residency: text.optional(),
  trust: text.optional(),
})

const point = z.object({
  atMs: number,
  usd: number.optional(),
  spotUsd: number.optional(),
  stock: z.enum(['available', 'low', 'sold_out', 'unknown', 'gone', 'unread']),
  units: number.optional(),
})

export const marketFormat = formatOf<MarketRow>()(
  z.object({ provider: text, region: text, machine: text, facts, seenMs: number, points: z.array(point) }),
)
