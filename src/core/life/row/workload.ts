import * as z from 'zod'
import type { Workload } from '../workload.ts'
import { formatOf } from './format.ts'
import { manifest } from './manifest.ts'
import { flag, number, numberByName, text, texts } from './parts.ts'

export const workloadFormat = formatOf<Workload>()(
  z.object({
    uid: text,
    project: text,
    name: text,
    generation: number,
    text,
    manifest,
    want: z.enum(['running', 'stopped', 'removed']),
    scale: numberByName,
    template: z.object({ name: text, version: number }).optional(),
    pinned: z.array(z.object({ slot: text, offer: text, usdPerHour: number })).optional(),
    usdPerHourMax: number.optional(),
    agreed: z
      .object({
        atMs: number,
        tolerance: number,
        roles: z.record(text, z.object({ replicas: number, usdPerHour: number, replicaUsd: number })),
      })
      .optional(),
    restartedIn: number.optional(),
    createdMs: number,
    changedMs: number,
    past: z
      .array(z.object({ generation: number, text, atMs: number, stood: flag.optional(), keys: texts.optional() }))
      .optional(),
  }),
)
