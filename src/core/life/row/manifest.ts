import * as z from 'zod'
import { GPU, MACHINE } from '../../requirement/table.ts'
import { number, text, textByName, texts } from './parts.ts'

// A manifest as it is kept in a workload's row: with the defaults of the version that accepted it.

const resources = z.object({
  ...MACHINE.rows,
  gpu: z.object(GPU.rows).optional(),
  shmGib: number.optional(),
})

export const port = z.object({
  name: text,
  port: number,
  health: text.optional(),
  expose: z.enum(['public', 'private']),
})

export const volume = z.object({
  mount: text,
  from: text.optional(),
  mode: z.enum(['ro', 'rw']),
  sizeGib: number.optional(),
  secret: text.optional(),
})

const replicas = z.object({
  min: number,
  max: number,
  target: z.object({ metric: z.enum(['rps', 'concurrency', 'queue']), value: number }).optional(),
})

const reserve = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('share'), share: number }),
  z.object({ kind: z.literal('count'), count: number }),
])

const part = { resources, replicas, command: texts, args: texts, env: textByName, ports: z.array(port) }

export const manifest = z.object({
  kind: z.enum(['service', 'job']),
  name: text,
  image: text,
  secrets: texts,
  storage: z.array(volume),
  spread: z.enum(['none', 'provider', 'region', 'zone']),
  nodes: number,
  topology: z.enum(['nvlink_domain', 'rack', 'zone']).optional(),
  framework: z.enum(['ray']).optional(),
  checkpoint: z.object({ path: text, everySeconds: number }).optional(),
  maxDurationSeconds: number.optional(),
  completions: number,
  restart: z.object({
    class: z.enum(['inference', 'training']),
    max: number.optional(),
    unhealthySeconds: number.optional(),
  }),
  migration: z.object({
    on: z.array(z.enum(['outage', 'drain', 'price_drop'])),
    priceDrop: number.optional(),
    graceSeconds: number.optional(),
  }),
  policy: text.optional(),
  labels: textByName.optional(),
  spot: z.enum(['never', 'allowed', 'only']).optional(),
  routing: z.object({ affinity: z.enum(['session', 'prefix']).optional(), hedge: z.number().optional() }).optional(),
  roles: z.array(z.object({ name: text, reserve: reserve.optional(), ...part })),
  ...part,
})
