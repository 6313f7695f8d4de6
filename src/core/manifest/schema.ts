import * as z from 'zod'
import { textAsWritten } from '../document/traits.ts'
import { memory, optional, required } from '../requirement/fields.ts'
import { absolutePath, duration, image, label, labels, reserve, share, variable, words } from './fields.ts'
import { GPU, MACHINE } from '../requirement/table.ts'

export type * from './manifest.ts'

/** Machines of a gang and replicas of a service: a larger number is a typing mistake. */
const NODES_MAX = 1024
const REPLICAS_MAX = 10_000

// Sizes come first and what the image is built for last, around what is no requirement of its own.
const { host_arch: hostArch, ...sizes } = MACHINE.fields

const resources = z.strictObject({
  ...sizes,
  shm: optional(
    memory,
    {
      description:
        'Shared memory (/dev/shm) of a container, which data loaders with workers and NCCL use. It is part of `memory`. Left out: 64 MiB in a container, and what the host has for processes of a host.',
      examples: ['8Gi'],
    },
    { also: ['shm_size', 'shared_memory', 'shmem', 'ipc'] },
  ),
  gpu: optional(
    z.strictObject(GPU.fields),
    { description: 'GPUs that each machine must have.', examples: [{ count: 4, min_vram: '80Gi' }] },
    { also: ['gpus', 'accelerator', 'accelerators'] },
  ),
  host_arch: hostArch,
})

const env = z.record(variable, textAsWritten().max(32_768))

const port = z
  .strictObject({
    name: required(label, { description: 'Name of the port.', examples: ['http'] }),
    port: required(
      z.int().min(1).max(65_535),
      { description: 'Port number inside the container.', examples: [8000] },
      { also: ['container_port', 'containerPort', 'target_port', 'targetPort', 'number'] },
    ),
    health: optional(
      z
        .string()
        .max(1024)
        .regex(/^\/\S*$/, 'This must be a path that starts with /.'),
      {
        description: 'Path that answers with a status of 2xx once the service is ready. Redirects do not count.',
        examples: ['/health'],
      },
      { also: ['health_check', 'healthcheck', 'probe', 'readiness', 'path'] },
    ),
    expose: optional(
      z.enum(['public', 'private']),
      { description: 'Whether callers outside may reach the port.', examples: ['private'], default: 'public' },
      { also: ['visibility', 'public'] },
    ),
  })
  .meta({ examples: [{ name: 'http', port: 8000, health: '/health' }] })

const SOURCE_FORM = /^(?:s3|gs|az|r2|oci|hf|https):\/\/[^\s/]\S*$/

const volume = z
  .strictObject({
    mount: required(
      absolutePath,
      { description: 'Path in the container.', examples: ['/models'] },
      {
        also: ['path', 'mount_path', 'mountPath', 'target', 'destination', 'dst'],
      },
    ),
    from: optional(
      z
        .string()
        .max(2048)
        .regex(SOURCE_FORM, 'This must be an address such as s3://bucket/path (s3, gs, az, r2, oci, hf or https).'),
      {
        description:
          'Address of the data: it is there when the workload starts, on whatever machine. With `mode: rw`, what the workload writes is saved there while it runs and at its end.',
        examples: ['s3://acme/models'],
      },
      { also: ['source', 'src', 'url', 'uri', 'bucket'] },
    ),
    mode: optional(
      z.enum(['ro', 'rw']),
      { description: 'Read-only or writable. Left out: ro with `from`, rw without.', examples: ['ro'] },
      { also: ['access', 'access_mode', 'read_only', 'readonly'] },
    ),
    size: optional(
      memory,
      {
        description:
          'Size of the volume. With `from`, how large the data is at most: up to 50Gi it is copied to the machine, more is read over the network while it is used.',
        examples: ['500Gi'],
      },
      { also: ['capacity', 'size_gb', 'disk_size', 'storage'] },
    ),
    secret: optional(
      variable,
      {
        description:
          'Name of a secret of the project that gives access to `from`. The workload does not get it. Left out: the data is public.',
        examples: ['S3_ACCESS'],
      },
      { also: ['credentials', 'credential', 'access_key', 'secret_name', 'token'] },
    ),
  })
  .meta({ examples: [{ mount: '/scratch', size: '500Gi' }] })

const target = z.strictObject({
  rps: optional(z.number().positive().max(1e9), {
    description: 'Requests per second that one replica should handle.',
    examples: [20],
  }),
  concurrency: optional(z.number().positive().max(1e9), {
    description: 'Concurrent requests that one replica should handle.',
    examples: [32],
  }),
  queue: optional(z.number().positive().max(1e9), {
    description: 'Requests that may wait for one replica.',
    examples: [8],
  }),
})

const replicas = z.union([
  z.int().min(1).max(REPLICAS_MAX),
  z.strictObject({
    min: required(z.int().min(0).max(REPLICAS_MAX), { description: 'Minimum number of replicas.', examples: [1] }),
    max: required(z.int().min(1).max(REPLICAS_MAX), { description: 'Maximum number of replicas.', examples: [8] }),
    target: optional(target, {
      description: 'Load above which a replica is added: exactly one of rps, concurrency and queue.',
      examples: [{ concurrency: 32 }],
    }),
  }),
])

const replicasNotes = {
  description: 'Number of replicas, or min and max.',
  examples: [2],
  default: 1,
}
const replicasTraits = { also: ['replica', 'num_replicas', 'scale', 'instances', 'min_replicas', 'max_replicas'] }
const commandNotes = {
  description: 'Program to run instead of the one in the image.',
  examples: [['vllm', 'serve', '/models/llama-70b']],
}
const argsNotes = { description: 'Arguments for the program.', examples: [['--port', '8000']] }
const envNotes = { description: 'Environment variables.', examples: [{ MODEL: 'llama-70b' }] }
const portsNotes = {
  description: 'Ports that the workload listens on.',
  examples: [[{ name: 'http', port: 8000, health: '/health' }]],
}
const resourcesNotes = {
  description: 'What each machine must have.',
  examples: [{ cpu: 16, memory: '200Gi', gpu: { count: 4, min_vram: '80Gi' } }],
}
const commandTraits = { also: ['cmd', 'entrypoint', 'run'] }
const envTraits = { also: ['envs', 'environment', 'env_vars', 'environment_variables', 'variables'] }

const role = z.strictObject({
  resources: optional(resources, resourcesNotes),
  replicas: optional(replicas, replicasNotes, replicasTraits),
  reserve: optional(
    reserve,
    {
      description: 'Headroom to keep free for this role: a number of replicas, or a percentage of them.',
      examples: ['25%'],
    },
    { also: ['headroom', 'spare', 'buffer'] },
  ),
  command: optional(words, commandNotes, commandTraits),
  args: optional(words, argsNotes, { also: ['arguments'] }),
  env: optional(env, envNotes, envTraits),
  ports: optional(z.array(port).max(64), portsNotes),
})

/**
 * The manifest, version 1. The parser, the types and the JSON Schema follow from this one definition. Checks that
 * involve more than one field are in rules/.
 */
export const manifestSchema = z.strictObject({
  berth: required(
    z.literal('v1'),
    { description: 'Version of this format.', examples: ['v1'] },
    { also: ['version', 'apiVersion', 'api_version'] },
  ),
  kind: required(
    z.enum(['service', 'job']),
    { description: 'A service runs until it is stopped; a job runs until it is done.', examples: ['service'] },
    { also: ['type'] },
  ),
  name: required(label, { description: 'Name of the workload.', examples: ['llama-70b'] }),
  image: required(
    image,
    { description: 'Container image.', examples: ['ghcr.io/acme/vllm:0.22'] },
    { also: ['container', 'container_image', 'docker_image', 'image_id'] },
  ),
  command: optional(words, commandNotes, commandTraits),
  args: optional(words, argsNotes, { also: ['arguments'] }),
  env: optional(env, envNotes, envTraits),
  secrets: optional(z.array(variable).max(256), {
    description:
      'Names of secrets of the project. The workload gets each as an environment variable of that name; the vault holds their values.',
    examples: [['HF_TOKEN']],
  }),
  resources: optional(resources, resourcesNotes, { also: ['resource', 'requirements'] }),
  ports: optional(z.array(port).max(64), portsNotes, { also: ['expose'] }),
  storage: optional(
    z.array(volume).max(64),
    {
      description: 'Data and volumes to mount in the container.',
      examples: [[{ mount: '/scratch', size: '500Gi' }]],
    },
    { also: ['volumes', 'mounts', 'volume_mounts', 'file_mounts', 'volumeMounts'] },
  ),
  replicas: optional(replicas, replicasNotes, replicasTraits),
  spread: optional(
    z.enum(['none', 'provider', 'region', 'zone']),
    {
      description: 'Level to spread replicas over, so that losing one such place does not stop them all.',
      examples: ['provider'],
      default: 'none',
    },
    { also: ['anti_affinity', 'topology_spread', 'spread_over'] },
  ),
  nodes: optional(
    z.int().min(1).max(NODES_MAX),
    {
      description:
        'Number of machines of a job, or of each replica of a service with `framework: ray`. It starts on all of them or not at all.',
      examples: [2],
      default: 1,
    },
    { also: ['num_nodes', 'node_count', 'workers'] },
  ),
  topology: optional(
    z.strictObject({
      within: required(z.enum(['nvlink_domain', 'rack', 'zone']), {
        description: 'What all nodes must share.',
        examples: ['rack'],
      }),
    }),
    { description: 'How close together the nodes must be.', examples: [{ within: 'rack' }] },
  ),
  framework: optional(
    z.enum(['ray']),
    {
      description:
        'What runs the command over all nodes. With ray, they are a Ray cluster whose head is the first: the command of a job runs there once, as a RayJob of KubeRay, and that of a service, `serve run MODULE:APP`, says what Ray Serve runs there, as a RayService. On one node without KubeRay it runs as it is. Left out: each node runs the command for itself.',
      examples: ['ray'],
    },
    { also: ['runtime', 'launcher'] },
  ),
  checkpoint: optional(
    z.strictObject({
      path: required(absolutePath, {
        description: 'Folder that checkpoints are written to, in storage that outlives the machine.',
        examples: ['/ckpt'],
      }),
      every: required(
        duration,
        { description: 'How often a checkpoint is written.', examples: ['30m'] },
        { also: ['interval', 'period', 'frequency'] },
      ),
    }),
    {
      description: 'How a job saves its work, which determines what a restart costs.',
      examples: [{ path: '/ckpt', every: '30m' }],
    },
    { also: ['checkpoints', 'checkpointing'] },
  ),
  max_duration: optional(
    duration,
    { description: 'Time after which a job is stopped, whether it is done or not.', examples: ['2d'] },
    { also: ['timeout', 'max_time', 'deadline', 'max_runtime', 'time_limit'] },
  ),
  completions: optional(
    z.int().min(1).max(1_000_000),
    { description: 'Number of times a job must succeed.', examples: [10], default: 1 },
    { also: ['runs', 'repeat'] },
  ),
  restart: optional(
    z.strictObject({
      class: optional(z.enum(['inference', 'training']), {
        description:
          'What a restart costs: almost nothing (inference), or everything since the last checkpoint (training). Left out: inference for services, training for jobs.',
        examples: ['training'],
      }),
      max: optional(
        z.int().min(0).max(10_000),
        {
          description:
            'Restarts after failures without progress before Berth gives up. Left out: 3 for jobs, no limit for services. Progress is a newer checkpoint, or a service that was healthy for ten minutes.',
          examples: [3],
        },
        { also: ['retries', 'limit', 'max_restarts'] },
      ),
      on_unhealthy: optional(
        duration,
        {
          description:
            'Replaces a replica of a service that has failed its health path for this long after it was healthy. Left out: it is shown, and stays.',
          examples: ['2m'],
        },
        { also: ['liveness', 'health_restart'] },
      ),
    }),
    { description: 'What a restart costs, and how many to try.', examples: [{ class: 'training', max: 3 }] },
    { also: ['restart_policy', 'restartPolicy', 'retry'] },
  ),
  migration: optional(
    z.strictObject({
      on: optional(z.array(z.enum(['outage', 'drain', 'price_drop'])).max(16), {
        description: 'What may move running work. Left out: outage for services, nothing for jobs.',
        examples: [['outage', 'drain']],
      }),
      grace: optional(duration, {
        description:
          'How long a provider may answer nothing before `outage` starts a successor elsewhere. Left out: 30 seconds. What runs goes on serving until its successor does.',
        examples: ['5m'],
      }),
      price_drop: optional(share, { description: 'Share of the price that a move must save.', examples: ['25%'] }),
    }),
    { description: 'When running work may be moved.', examples: [{ on: ['outage', 'drain'] }] },
  ),
  policy: optional(label, { description: 'Name of a policy, which the platform team owns.', examples: ['production'] }),
  labels: optional(
    labels,
    {
      description:
        'Labels for selectors such as `-l team=ml`, at most 32. Changing a label replaces nothing that runs.',
      examples: [{ team: 'ml' }],
    },
    { also: ['label', 'tags', 'tag'] },
  ),
  spot: optional(z.enum(['never', 'allowed', 'only']), {
    description:
      'Whether to use spot machines, which the provider may take away at any time: never, allowed or only. The policy sets the limits. Left out: as the policy says.',
    examples: ['allowed'],
  }),
  routing: optional(
    z.strictObject({
      affinity: optional(
        z.enum(['session', 'prefix']),
        {
          description:
            'Which requests go to the same replica, as far as its load permits: those of one session, or those whose prompts begin alike, because that replica has the beginning in its cache.',
          examples: ['prefix'],
        },
        { also: ['sticky', 'session_affinity'] },
      ),
      hedge: optional(
        share.refine((value) => value >= 0.5 && value < 1, 'The share must be at least 50% and less than 100%.'),
        {
          description:
            'Send a request a second time, to another replica, when it has no answer for longer than this share of recent requests took; the first answer counts, and the other copy is ended. Only requests that may be repeated, and at most a tenth of them. At least 50%, less than 100%.',
          examples: ['95%'],
        },
        { also: ['hedging', 'hedged_requests'] },
      ),
    }),
    {
      description:
        'How the gateway spreads requests over the replicas of a service. Changing it replaces nothing that runs. Left out: by load alone.',
      examples: [{ affinity: 'prefix' }],
    },
    { also: ['load_balancing', 'balancing', 'sticky_sessions'] },
  ),
  roles: optional(z.record(label, role), {
    description:
      'Parts with their own resources, such as prefill and decode. A role inherits what it leaves out from the workload.',
    examples: [{ prefill: { replicas: 2 } }],
  }),
})

/** A manifest as written, with amounts parsed but no defaults filled in. */
export type ManifestFile = z.output<typeof manifestSchema>
