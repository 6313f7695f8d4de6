import * as z from 'zod'

/** How a cluster is used. */
export interface KubernetesSettings {
  /** The context of the kubeconfig; undefined: its current one. */
  readonly context: string | undefined
  /** Undefined: the one of the context, or `default`. */
  readonly namespace: string | undefined
  readonly isInCluster: boolean
  readonly region: string | undefined
  readonly pick: 'berth' | 'cluster'
  /** Which batch scheduler is used; `auto`: the first that the cluster has, with a queue for us. */
  readonly scheduler: 'auto' | 'none' | 'kai' | 'volcano' | 'kueue' | 'native'
  /** Undefined: the one that a fresh installation of the scheduler has. */
  readonly queue: string | undefined
  /** KAI gives out parts of whole cards there. */
  readonly hasFractions: boolean
  readonly security: 'restricted' | 'baseline'
  readonly runAsUser: number | undefined
  readonly pullSecrets: readonly string[]
  readonly serviceAccount: string | undefined
  readonly runtimeClass: string | undefined
  readonly priorityClass: string | undefined
  readonly storageClass: string | undefined
  /** With a shell and rclone: it fetches and saves data of object stores. */
  readonly storageImage: string
  readonly tolerations: readonly Toleration[]
  /** Labels that a node must have to be used. */
  readonly nodes: Readonly<Record<string, string>>
  /** This control plane can call the addresses of pods and services. */
  readonly isReachable: boolean
  readonly domain: string
  /** What cards of nodes with a label cost; the first that fits counts. */
  readonly prices: readonly NodePrice[]
  /** Programs that a kubeconfig may run on this host to get a credential. */
  readonly plugins: readonly string[]
}

export interface NodePrice {
  readonly label: string
  /** `*` stands for any text; left out: any value. */
  readonly value?: string
  readonly usdPerCardHour: number
}

export interface Toleration {
  readonly key: string
  readonly value?: string | undefined
  readonly effect?: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute' | undefined
}

const NAME = 'must be a name of at most 253 lower-case letters, digits, dots and dashes'
const LABEL = 'must be a name of at most 63 lower-case letters, digits and dashes'
const NODES = 'must be labels and their values such as {pool: gpu}'
const TOLERATIONS = 'must be a list of taints such as [{key: sku, value: gpu, effect: NoSchedule}]'
const SCHEDULER = 'must be auto, none, kai, volcano, kueue or native'
const QUEUE = 'must be the name of a queue: at most 63 lower-case letters, digits, dots and dashes'
const IMAGE = 'must be the name of an image that has a shell and rclone, such as rclone/rclone:1.75.2'
const TRUTH = 'must be true or false'

const name = z.string({ error: NAME }).regex(/^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/, { error: NAME })
const label = z.string({ error: LABEL }).regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/, { error: LABEL })
const labelKey = z.string().regex(/^(?:[a-z0-9.-]{1,253}\/)?[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/)
const labelText = z.string().regex(/^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/)

const toleration = z.strictObject({
  key: labelKey,
  value: labelText.optional(),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).optional(),
})

const PRICES =
  'must be a list of labels and prices such as [{label: nvidia.com/gpu.product, value: "*H100*", usd_per_card_hour: 2}]'

const price = z
  .strictObject({
    label: labelKey,
    value: z.string().max(100).optional(),
    usd_per_card_hour: z.number().min(0).max(1e6),
  })
  .transform(({ label: of, value, usd_per_card_hour: usdPerCardHour }): NodePrice => ({
    label: of,
    ...(value !== undefined && { value }),
    usdPerCardHour,
  }))

/** Settings as users write them. */
export const kubernetesSettings = z
  .strictObject({
    context: z.string({ error: 'must be the name of a context of the kubeconfig' }).min(1).max(500).optional(),
    namespace: label.optional(),
    in_cluster: z.boolean({ error: TRUTH }).default(false),
    region: z
      .string({ error: LABEL })
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/, { error: LABEL })
      .optional(),
    pick: z.enum(['berth', 'cluster'], { error: 'must be berth or cluster' }).default('berth'),
    scheduler: z.enum(['auto', 'none', 'kai', 'volcano', 'kueue', 'native'], { error: SCHEDULER }).default('auto'),
    queue: z
      .string({ error: QUEUE })
      .regex(/^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/, { error: QUEUE })
      .optional(),
    fractions: z.boolean({ error: TRUTH }).default(false),
    security: z.enum(['restricted', 'baseline'], { error: 'must be restricted or baseline' }).default('restricted'),
    run_as_user: z
      .int({ error: 'must be the number of a user, from 1 on' })
      .min(1, { error: 'must be the number of a user, from 1 on: 0 is root' })
      .max(2_147_483_647)
      .optional(),
    pull_secrets: z.array(name, { error: 'must be a list of names of secrets in the namespace' }).default([]),
    service_account: name.optional(),
    runtime_class: name.optional(),
    priority_class: name.optional(),
    storage_class: name.optional(),
    storage_image: z
      .string({ error: IMAGE })
      .regex(/^[A-Za-z0-9]\S{0,499}$/, { error: IMAGE })
      .default('rclone/rclone:1.75.2'),
    tolerations: z.array(toleration, { error: TOLERATIONS }).default([]),
    nodes: z.record(labelKey, labelText, { error: NODES }).default({}),
    reachable: z.boolean({ error: TRUTH }).optional(),
    domain: name.default('cluster.local'),
    prices: z.array(price, { error: PRICES }).default([]),
    plugins: z
      .array(z.string().min(1).max(500), { error: 'must be a list of programs such as [aws, gke-gcloud-auth-plugin]' })
      .default([]),
  })
  .superRefine(({ scheduler, queue, fractions }, context) => {
    if (fractions && scheduler !== 'auto' && scheduler !== 'kai')
      context.addIssue({ code: 'custom', path: ['fractions'], message: 'only scheduler: kai gives out parts of cards' })
    if (queue === undefined || (scheduler !== 'none' && scheduler !== 'native')) return
    const message = `scheduler: ${scheduler} has no queues: leave out queue, or name the scheduler that has it`
    context.addIssue({ code: 'custom', path: ['queue'], message })
  })
  .transform((stated): KubernetesSettings => ({
    context: stated.context,
    namespace: stated.namespace,
    isInCluster: stated.in_cluster,
    region: stated.region,
    pick: stated.pick,
    scheduler: stated.scheduler,
    queue: stated.queue,
    hasFractions: stated.fractions,
    security: stated.security,
    runAsUser: stated.run_as_user,
    pullSecrets: stated.pull_secrets,
    serviceAccount: stated.service_account,
    runtimeClass: stated.runtime_class,
    priorityClass: stated.priority_class,
    storageClass: stated.storage_class,
    storageImage: stated.storage_image,
    tolerations: stated.tolerations,
    nodes: stated.nodes,
    isReachable: stated.reachable ?? stated.in_cluster,
    domain: stated.domain,
    prices: stated.prices,
    plugins: stated.plugins,
  }))

const KUBECONFIG = 'must be the text of a kubeconfig file: apiVersion: v1, kind: Config, clusters, users, contexts'

/** A quick look at the form; what is inside is checked when the provider is opened. */
export const kubeconfigText = z
  .string()
  .max(1024 * 1024, { error: 'is larger than 1 MiB' })
  .regex(/["']?kind["']?\s*:\s*["']?Config\b/, { error: KUBECONFIG })
