import type { Fault } from '../../../core/life/call/fault.ts'
import type { Within } from '../../../core/manifest/manifest.ts'
import type { KubeObject } from '../objects/object.ts'
import type { PodAddition } from '../objects/pod.ts'
import type { SeenPod } from '../read/pod.ts'
import type { ApiKind, ClusterReader } from './reader.ts'

/** Who admits pods in a cluster, and starts gangs as a whole. One file each, and one line in the registry. */
export interface BatchScheduler {
  readonly name: string
  /** As people call it. */
  readonly title: string
  /** What stands for a gang there. A cluster that serves it, in any version, has this scheduler. */
  readonly gangs: ApiKind
  /** Undefined: it has no queues, and says at once whether there is room. */
  readonly queues: QueueKind | undefined
  /** It gives out parts of whole cards. */
  readonly divides?: boolean
  /** What makes pods a gang of its own, or why it will never take them. Nothing is changed by it. */
  readonly plan: (ask: GangAsk, reader: ClusterReader) => Promise<GangPlan | Fault>
  /** Why pods of its queues wait, by the name of the pod; left out: the pods say it themselves. */
  readonly reasons?: (pods: readonly SeenPod[], reader: ClusterReader) => Promise<ReadonlyMap<string, string>>
  /** It makes what stands for a gang itself, again and again while a pod has a node, and gives it up when all have ended. */
  readonly isMaker?: boolean
  /** Words by which it says that no wait will help. */
  readonly never?: RegExp
}

interface QueueKind extends ApiKind {
  /** The queue that a fresh installation has. */
  readonly usual: string
}

/** Pods that are to start together; one pod is a gang of one. */
export interface GangAsk {
  /** The name of the first pod, which no other gang has. */
  readonly name: string
  readonly namespace: string
  /** Empty: the scheduler has no queues. */
  readonly queue: string
  readonly size: number
  /** What all of them request together, by resource, in its base unit. */
  readonly requests: ReadonlyMap<string, number>
  readonly domain: GangDomain | undefined
  readonly fraction: CardFraction | undefined
  readonly priorityClass: string | undefined
  /** What everything of this workload is marked with. */
  readonly labels: Readonly<Record<string, string>>
}

/** What all nodes of a gang must share. */
interface GangDomain {
  readonly level: Within
  /** The label that names it on the nodes of this cluster. */
  readonly label: string
}

/** A part of each of so many cards. */
interface CardFraction {
  readonly milli: number
  readonly count: number
}

export interface GangPlan {
  /** What each pod says beyond the usual. */
  readonly pod: (rank: number) => PodAddition
  /** Written beside the pods, as their property; undefined: the scheduler makes its own. */
  readonly group: KubeObject | undefined
  /** Whether an object of the scheduler stands for them, by the name of the gang. */
  readonly isGrouped: boolean
  /** Whether the scheduler itself keeps all of them within the domain. */
  readonly isTogether: boolean
}

/** The scheduler that a cluster has for us, and our queue in it. */
export interface Batch {
  readonly scheduler: BatchScheduler
  readonly queue: string
}
