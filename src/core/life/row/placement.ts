import * as z from 'zod'
import type { Placement } from '../placement.ts'
import { formatOf, type Upgrade } from './format.ts'
import { port, volume } from './manifest.ts'
import { flag, number, numberByName, text, textByName, texts } from './parts.ts'

/** Version 2 names the version of the identity; before it, there was only one. */
const namesVersion: Upgrade = ({ shape, ...body }) => ({ ...body, shape: `1.${String(shape)}` })

const tag = z.object({
  owner: text,
  project: text,
  workload: text,
  uid: text,
  slot: text,
  epoch: number,
  attempt: text,
})

const share = z.object({ kind: z.literal('share'), milli: number })

const node = z.object({
  id: text,
  spot: z.object({
    node: number,
    cards: z.array(number),
    taken: z
      .discriminatedUnion('kind', [share, z.object({ kind: z.literal('slice'), profile: text, start: number })])
      .optional(),
  }),
  request: z.object({
    cpuMilli: number,
    memoryMib: number,
    diskMib: number,
    count: number,
    part: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('whole') }),
      share,
      z.object({ kind: z.literal('slice'), vramGib: number }),
    ]),
    models: texts.optional(),
  }),
})

const place = z.object({
  offer: text,
  provider: text,
  region: text,
  zone: text.optional(),
  instance: text,
  market: z.enum(['on-demand', 'spot']),
  node: node.optional(),
})

const order = z.object({
  tag,
  place,
  image: text,
  command: texts,
  args: texts,
  env: textByName,
  secrets: texts,
  ports: z.array(port),
  storage: z.array(volume),
  cpu: number.optional(),
  memoryGib: number.optional(),
  diskGib: number.optional(),
  shmGib: number.optional(),
  nodes: number,
  meeting: z.object({ hosts: texts, port: number }).optional(),
  within: z.enum(['nvlink_domain', 'rack', 'zone']).optional(),
  framework: z.enum(['ray', 'ray-serve']).optional(),
  restart: z.enum(['inference', 'training']).optional(),
  gpus: number,
  usdPerHourMax: number,
  maxDurationSeconds: number.optional(),
  resumeFromMs: number.optional(),
  checkpoint: z.object({ path: text, everySeconds: number }).optional(),
})

const exit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('code'), code: number }),
  z.object({ kind: z.literal('signal'), signal: text }),
  z.object({ kind: z.literal('out-of-memory') }),
  z.object({ kind: z.literal('preempted') }),
  z.object({ kind: z.literal('machine') }),
  z.object({ kind: z.literal('start'), why: text }),
  z.object({ kind: z.literal('storage'), why: text }),
])

export const leaving = z.enum([
  'refused',
  'absent',
  'exited',
  'died',
  'preempted',
  'unhealthy',
  'scaled-down',
  'stopped',
  'removed',
  'replaced',
  'drained',
  'outage',
  'withdrawn',
  'surplus',
  'gang',
  'too-expensive',
  'too-long',
  'late',
  'finished',
  'over',
])

const decision = z.object({
  atMs: number,
  policy: text,
  candidates: number,
  fitting: number,
  refused: numberByName,
  runnerUp: z.object({ offer: text, usdPerHour: number }).optional(),
  imageUnused: z.literal(true).optional(),
})

export const placementFormat = formatOf<Placement>()(
  z.object({
    order,
    shape: text,
    generation: number.optional(),
    phase: z.enum(['reserved', 'unknown', 'starting', 'running', 'stopping', 'gone']),
    sinceMs: number,
    reservedMs: number,
    instance: text.optional(),
    reserved: z.object({ gpus: number, usdPerHour: number }),
    calledMs: number,
    born: z.object({ fromMs: number, isSure: flag }).optional(),
    unpriced: flag.optional(),
    replayed: flag,
    absentMs: number.optional(),
    upMs: number.optional(),
    healthy: flag.optional(),
    wellMs: number.optional(),
    sickMs: number.optional(),
    queued: z.object({ sinceMs: number, reason: text, untilMs: number.optional() }).optional(),
    slow: z.literal(true).optional(),
    fault: text.optional(),
    ports: textByName,
    checkpointMs: number.optional(),
    why: leaving.optional(),
    exit: exit.optional(),
    tries: number,
    nextTryMs: number,
    because: text,
    decision: decision.optional(),
  }),
  [namesVersion],
)
