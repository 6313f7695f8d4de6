import type { Exit } from '../../../core/life/call/exit.ts'
import { FETCH } from '../names.ts'
import type { SeenContainer, SeenEnd, SeenPod } from './pod.ts'

/** Whether nothing of it runs any more, whatever the API server still keeps. */
export function isOver(pod: SeenPod): boolean {
  if (isSaving(pod)) return false
  if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return true
  if (pod.deletedMs === undefined) return false
  // A deleted pod without a node never gets one. A grace of 0 is how a node confirms that its containers have ended.
  return pod.node === undefined || pod.graceSeconds === 0
}

/** Its program has ended, and what it left is being saved. */
export function isSaving({ main, keep, node, graceSeconds }: SeenPod): boolean {
  return main?.ended !== undefined && keep?.isRunning === true && node !== undefined && graceSeconds !== 0
}

/** How it ended; undefined: nobody can tell. The reason counts first: a pod killed for its memory may have ended with 0. */
export function exitOf(pod: SeenPod): Exit | undefined {
  const { main } = pod
  const own = main?.ended === undefined ? undefined : ownExit(main.ended, pod)
  if (own?.kind === 'out-of-memory' || own?.kind === 'start') return own
  const taken = takenAway(pod)
  if (taken !== undefined && !endedBefore(pod, main?.ended)) return taken
  const unsaved = unsavedIn(pod, own)
  if (unsaved !== undefined) return unsaved
  if (own !== undefined) return own
  const unfetched = pod.before.find(({ name, ended }) => name === FETCH && ended?.code === STORAGE)
  if (unfetched !== undefined) return { kind: 'storage', why: causeIn(unfetched) }
  const failed = pod.before.find(({ ended }) => ended !== undefined && ended.code !== 0)
  if (failed !== undefined) return { kind: 'start', why: preparing(failed) }
  const refused = refusedByNode(pod)
  if (refused !== undefined) return refused
  return pod.phase === 'Succeeded' ? { kind: 'code', code: 0 } : undefined
}

/** With which code a courier ends that could not do its work. */
const STORAGE = 74

function unsavedIn({ keep }: SeenPod, own: Exit | undefined): Exit | undefined {
  if (keep?.ended === undefined || keep.ended.code === 0) return undefined
  if (keep.ended.code === STORAGE) return { kind: 'storage', why: causeIn(keep) }
  const isWell = own?.kind === 'code' && own.code === 0
  return isWell ? { kind: 'storage', why: 'its courier was ended before everything was saved' } : undefined
}

/** The last words of a courier, without what they say of checkpoints. */
function causeIn({ ended }: SeenContainer): string {
  const why = (ended?.message ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('checkpoint '))
  return (why[0] ?? 'its storage failed, and the node does not say why').slice(0, 300)
}

function ownExit({ code, signal, reason, message }: SeenEnd, { image }: SeenPod): Exit | undefined {
  switch (reason) {
    case 'OOMKilled':
      return { kind: 'out-of-memory' }
    case 'StartError':
    case 'ContainerCannotRun':
      return {
        kind: 'start',
        why: `the image ${image} could not be started: ${message || 'the node does not say why'}`,
      }
    // The node lost track of the container: the code is made up.
    case 'ContainerStatusUnknown':
      return { kind: 'machine' }
    case 'DeadlineExceeded':
      return { kind: 'signal', signal: 'SIGTERM' }
  }
  if (signal !== undefined && signal > 0) return { kind: 'signal', signal: SIGNALS[signal] ?? `signal ${signal}` }
  return code === undefined ? undefined : { kind: 'code', code }
}

const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
}

/** Why it was taken away, by the condition that says so, by older words for the same, or because it was deleted. */
function takenAway({ conditions, reason, message, deletedMs }: SeenPod): Exit | undefined {
  const target = conditions.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True')
  const known = DISRUPTIONS[target?.reason ?? ''] ?? DISRUPTIONS[reason]
  if (reason === 'Evicted' && OWN_FAULT.test(message)) return { kind: 'signal', signal: 'SIGKILL' }
  return known ?? (target === undefined && deletedMs === undefined ? undefined : { kind: 'preempted' })
}

/** It used more disk than it had asked for. */
const OWN_FAULT = /exceeds the (?:total )?limit|exceeded its local ephemeral storage limit/i

const DISRUPTIONS: Readonly<Record<string, Exit>> = {
  PreemptionByScheduler: { kind: 'preempted' },
  EvictionByEvictionAPI: { kind: 'preempted' },
  DeletionByTaintManager: { kind: 'machine' },
  DeletionByPodGC: { kind: 'machine' },
  DeletionByDeviceTaintManager: { kind: 'machine' },
  TerminationByKubelet: { kind: 'preempted' },
  Evicted: { kind: 'preempted' },
  Preempting: { kind: 'preempted' },
  Preempted: { kind: 'preempted' },
  NodeLost: { kind: 'machine' },
  NodeShutdown: { kind: 'machine' },
  Shutdown: { kind: 'machine' },
  Terminated: { kind: 'machine' },
}

/** A program that had ended by itself was not taken away. */
function endedBefore({ conditions, deletedMs, graceSeconds = 0 }: SeenPod, ended: SeenEnd | undefined): boolean {
  const target = conditions.find(({ type }) => type === 'DisruptionTarget')
  const fromMs = target?.atMs ?? (deletedMs === undefined ? undefined : deletedMs - graceSeconds * 1000)
  return ended?.atMs !== undefined && fromMs !== undefined && ended.atMs < fromMs
}

/** The node was asked to run it and refused: `OutOfcpu`, `UnexpectedAdmissionError` and the like. */
function refusedByNode({ phase, reason }: SeenPod): Exit | undefined {
  const isRefusal = /^OutOf|Admission|^NodeAffinity$|^NodePorts$|TopologyAffinityError|^NodeName$/.test(reason)
  return phase === 'Failed' && isRefusal ? { kind: 'machine' } : undefined
}

function preparing({ name, ended }: SeenContainer): string {
  return `the container ${name}, which prepares the pod, ended with ${ended?.code ?? '?'}: ${ended?.message ?? ''}`
}
