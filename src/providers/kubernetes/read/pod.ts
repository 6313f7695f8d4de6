import * as z from 'zod'
import { FETCH, KEEP, PORTS_ANNOTATION } from '../names.ts'

/** A pod as far as it is read. What is missing or has another form is undefined: one odd field makes no pod unreadable. */
export interface SeenPod {
  readonly name: string
  readonly uid: string
  readonly version: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly finalizers: readonly string[]
  readonly createdMs: number | undefined
  /** When it is to be gone, if it was deleted. */
  readonly deletedMs: number | undefined
  /** Seconds that are left to it then; 0: the node has confirmed its end, or somebody did not want to wait for that. */
  readonly graceSeconds: number | undefined
  readonly node: string | undefined
  readonly isPinned: boolean
  readonly isProbed: boolean
  /** Claims for volumes that were made for it. */
  readonly claims: readonly string[]
  /** A claim gets its cards. */
  readonly hasDevices: boolean
  readonly hasSecret: boolean
  readonly hasPorts: boolean
  /** It has a secret for what fetches its data. */
  readonly hasData: boolean
  /** What it writes is saved. */
  readonly isKept: boolean
  readonly image: string
  readonly phase: string
  readonly reason: string
  readonly message: string
  readonly conditions: readonly SeenCondition[]
  /** The container of the workload; undefined: the node has not said anything about it. */
  readonly main: SeenContainer | undefined
  /** The container that saves what the workload writes; undefined: nothing is saved, or nobody has said anything about it. */
  readonly keep: SeenContainer | undefined
  /** Others that came to an end, such as those that prepare the pod. */
  readonly before: readonly SeenContainer[]
}

interface SeenCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly atMs: number | undefined
}

export interface SeenContainer {
  readonly name: string
  readonly isReady: boolean
  readonly isRunning: boolean
  readonly waiting: { readonly reason: string; readonly message: string } | undefined
  readonly ended: SeenEnd | undefined
}

export interface SeenEnd {
  readonly code: number | undefined
  readonly signal: number | undefined
  readonly reason: string
  readonly message: string
  readonly atMs: number | undefined
}

/** Undefined: this is no pod. */
export function readPod(value: unknown, main: string): SeenPod | undefined {
  const { data } = podForm.safeParse(value)
  if (data === undefined) return undefined
  const { metadata, spec, status } = data
  const [first] = spec.containers
  const own = spec.containers.find(({ name }) => name === main) ?? first
  const before = status.initContainerStatuses.map(containerOf)
  const prepared = spec.initContainers.map(({ name }) => name)
  return {
    name: metadata.name,
    uid: metadata.uid,
    version: metadata.resourceVersion,
    labels: metadata.labels,
    annotations: metadata.annotations,
    finalizers: metadata.finalizers,
    createdMs: timeOf(metadata.creationTimestamp),
    deletedMs: timeOf(metadata.deletionTimestamp),
    graceSeconds: metadata.deletionGracePeriodSeconds,
    node: spec.nodeName === '' ? undefined : spec.nodeName,
    isPinned: JSON.stringify(spec.affinity ?? null).includes('"metadata.name"'),
    isProbed: own?.readinessProbe !== undefined,
    claims: spec.volumes.flatMap(({ name, ephemeral }) =>
      ephemeral === undefined ? [] : [`${metadata.name}-${name}`],
    ),
    hasDevices: spec.resourceClaims.length > 0,
    hasSecret: JSON.stringify(own?.env ?? null).includes('"secretKeyRef"'),
    hasPorts: metadata.annotations[PORTS_ANNOTATION] !== undefined,
    hasData: prepared.includes(FETCH),
    isKept: prepared.includes(KEEP),
    image: own?.image ?? '',
    phase: status.phase,
    reason: status.reason,
    message: status.message,
    conditions: status.conditions.map(({ lastTransitionTime, ...rest }) => ({
      ...rest,
      atMs: timeOf(lastTransitionTime),
    })),
    main: status.containerStatuses.map(containerOf).find(({ name }) => name === main),
    keep: before.find(({ name }) => name === KEEP),
    before: before.filter(({ name }) => name !== KEEP),
  }
}

const word = z.string().catch('')
const maybe = z.string().optional().catch(undefined)
const some = z.number().optional().catch(undefined)
const thing = z.unknown().optional()

function listOf<T extends z.ZodType>(form: T) {
  return z.array(form).catch([])
}

const stateForm = z
  .object({
    running: thing,
    waiting: z.object({ reason: word, message: word }).optional().catch(undefined),
    terminated: z
      .object({ exitCode: some, signal: some, reason: word, message: word, finishedAt: maybe })
      .optional()
      .catch(undefined),
  })
  .catch({ running: undefined, waiting: undefined, terminated: undefined })

const containerForm = z.object({ name: word, ready: z.boolean().catch(false), state: stateForm })

const statusForm = z.object({
  phase: word,
  reason: word,
  message: word,
  conditions: listOf(z.object({ type: word, status: word, reason: word, message: word, lastTransitionTime: maybe })),
  containerStatuses: listOf(containerForm),
  initContainerStatuses: listOf(containerForm),
})

const podForm = z.object({
  metadata: z.object({
    name: z.string(),
    uid: z.string(),
    resourceVersion: word,
    labels: z.record(z.string(), z.string()).catch({}),
    annotations: z.record(z.string(), z.string()).catch({}),
    finalizers: listOf(z.string()),
    creationTimestamp: maybe,
    deletionTimestamp: maybe,
    deletionGracePeriodSeconds: some,
  }),
  spec: z.object({
    nodeName: word,
    affinity: thing,
    volumes: listOf(z.object({ name: word, ephemeral: thing })),
    resourceClaims: listOf(z.object({ name: word })),
    initContainers: listOf(z.object({ name: word })),
    containers: listOf(z.object({ name: word, image: word, env: thing, readinessProbe: thing })),
  }),
  status: statusForm.catch({
    phase: '',
    reason: '',
    message: '',
    conditions: [],
    containerStatuses: [],
    initContainerStatuses: [],
  }),
})

function containerOf({ name, ready, state }: z.infer<typeof containerForm>): SeenContainer {
  const { running, waiting, terminated } = state
  return {
    name,
    isReady: ready,
    isRunning: running !== undefined && running !== null,
    waiting,
    ended: terminated && {
      code: terminated.exitCode,
      signal: terminated.signal,
      reason: terminated.reason,
      message: terminated.message,
      atMs: timeOf(terminated.finishedAt),
    },
  }
}

function timeOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isFinite(ms) && ms >= 0 ? ms : undefined
}
