import * as z from 'zod'
import { textAsWritten } from '../document/traits.ts'
import {
  absolutePath,
  cpu,
  duration,
  image,
  label,
  labels,
  memory,
  oneOrMore,
  optional,
  required,
  reserve,
  share,
  variable,
  words,
} from './fields.ts'
import { gpu } from './schema-gpu.ts'

export type * from './manifest.ts'

/** Machines of a gang, replicas of a service: beyond these a typing mistake is certain. */
const NODES_MAX = 1024
const REPLICAS_MAX = 10_000

const hostArch = z.enum(['amd64', 'arm64'])

const resources = z.strictObject({
  cpu: optional(cpu, { description: 'CPU cores.', examples: [16] }, { also: ['cpus', 'vcpu', 'vcpus', 'cores'] }),
  memory: optional(memory, { description: 'Main memory.', examples: ['200Gi'] }, { also: ['mem', 'ram'] }),
  disk: optional(
    memory,
    { description: 'Local disk for the image and scratch files.', examples: ['100Gi'] },
    { also: ['disk_size', 'ephemeral_storage', 'storage'] },
  ),
  shm: optional(
    memory,
    {
      description:
        'Shared memory (/dev/shm) of a container, as data loaders with workers and NCCL want it; part of `memory`. Containers have 64 MiB without it, processes of a host use what the host has.',
      examples: ['8Gi'],
    },
    { also: ['shm_size', 'shared_memory', 'shmem', 'ipc'] },
  ),
  gpu: optional(
    gpu,
    { description: 'What each machine must have in GPUs.', examples: [{ count: 4, min_vram: '80Gi' }] },
    { also: ['gpus', 'accelerator', 'accelerators'] },
  ),
  host_arch: optional(
    oneOrMore(hostArch),
    { description: 'Instruction sets that the image is built for.', examples: ['amd64'], default: 'amd64' },
    { also: ['arch', 'architecture', 'cpu_arch', 'platform'] },
  ),
})

const env = z.record(variable, textAsWritten().max(32_768))

const port = z
  .strictObject({
    name: required(label, { description: 'Name of the port.', examples: ['http'] }),
    port: required(
      z.int().min(1).max(65_535),
      { description: 'Number of the port inside the container.', examples: [8000] },
      { also: ['container_port', 'containerPort', 'target_port', 'targetPort', 'number'] },
    ),
    health: optional(
      z
        .string()
        .max(1024)
        .regex(/^\/\S*$/, 'This must be a path that starts with /.'),
      { description: 'Path that answers with 200 when the service is ready.', examples: ['/health'] },
      { also: ['health_check', 'healthcheck', 'probe', 'readiness', 'path'] },
    ),
    expose: optional(
      z.enum(['public', 'private']),
      { description: 'Whether callers outside may reach it.', examples: ['private'], default: 'public' },
      { also: ['visibility', 'public'] },
    ),
  })
  .meta({ examples: [{ name: 'http', port: 8000, health: '/health' }] })

const SOURCE_FORM = /^(?:s3|gs|az|r2|oci|hf|https):\/\/[^\s/]\S*$/

const volume = z
  .strictObject({
    mount: required(
      absolutePath,
      { description: 'Where it appears in the container.', examples: ['/models'] },
      {
        also: ['path', 'mount_path', 'mountPath', 'target', 'destination', 'dst'],
      },
    ),
    from: optional(
      z
        .string()
        .max(2048)
        .regex(SOURCE_FORM, 'This must be an address such as s3://bucket/path (s3, gs, az, r2, oci, hf or https).'),
      { description: 'Address of the data that should be there.', examples: ['s3://acme/models'] },
      { also: ['source', 'src', 'url', 'uri', 'bucket'] },
    ),
    mode: optional(
      z.enum(['ro', 'rw']),
      { description: 'Read only or writable. Left out: ro with `from`, rw without.', examples: ['ro'] },
      { also: ['access', 'access_mode', 'read_only', 'readonly'] },
    ),
    size: optional(
      memory,
      { description: 'Size of the volume.', examples: ['500Gi'] },
      { also: ['capacity', 'size_gb', 'disk_size', 'storage'] },
    ),
  })
  .meta({ examples: [{ mount: '/scratch', size: '500Gi' }] })

const target = z.strictObject({
  rps: optional(z.number().positive().max(1e9), {
    description: 'Requests a second that one replica should carry.',
    examples: [20],
  }),
  concurrency: optional(z.number().positive().max(1e9), {
    description: 'Requests at once that one replica should carry.',
    examples: [32],
  }),
  queue: optional(z.number().positive().max(1e9), {
    description: 'Waiting requests that one replica should carry.',
    examples: [8],
  }),
})

const replicas = z.union([
  z.int().min(1).max(REPLICAS_MAX),
  z.strictObject({
    min: required(z.int().min(0).max(REPLICAS_MAX), { description: 'Fewest replicas.', examples: [1] }),
    max: required(z.int().min(1).max(REPLICAS_MAX), { description: 'Most replicas.', examples: [8] }),
    target: optional(target, {
      description: 'When to add one: exactly one of rps, concurrency and queue.',
      examples: [{ concurrency: 32 }],
    }),
  }),
])

const replicasNotes = {
  description: 'Copies that run side by side: a number, or min and max.',
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
      description: 'Headroom that stays empty for this role: a number of replicas, or a percentage of them.',
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
 * The manifest, version 1: this one definition is the parser, the types and the JSON Schema. What one field alone
 * cannot know is in rules.ts.
 */
export const manifestSchema = z.strictObject({
  berth: required(
    z.literal('v1'),
    { description: 'Version of this format.', examples: ['v1'] },
    { also: ['version', 'apiVersion', 'api_version'] },
  ),
  kind: required(
    z.enum(['service', 'job']),
    { description: 'A service runs until it is stopped, a job until it is done.', examples: ['service'] },
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
    description: 'Names of secrets; values live in the vault.',
    examples: [['HF_TOKEN']],
  }),
  resources: optional(resources, resourcesNotes, { also: ['resource', 'requirements'] }),
  ports: optional(z.array(port).max(64), portsNotes, { also: ['expose'] }),
  storage: optional(
    z.array(volume).max(64),
    {
      description: 'Data and volumes that appear in the container.',
      examples: [[{ mount: '/scratch', size: '500Gi' }]],
    },
    { also: ['volumes', 'mounts', 'volume_mounts', 'file_mounts', 'volumeMounts'] },
  ),
  replicas: optional(replicas, replicasNotes, replicasTraits),
  spread: optional(
    z.enum(['none', 'provider', 'region', 'zone']),
    {
      description: 'Put replicas apart, so that the loss of one such place leaves others.',
      examples: ['provider'],
      default: 'none',
    },
    { also: ['anti_affinity', 'topology_spread', 'spread_over'] },
  ),
  nodes: optional(
    z.int().min(1).max(NODES_MAX),
    { description: 'Machines of a job: it gets all of them at once or none.', examples: [2], default: 1 },
    { also: ['num_nodes', 'node_count', 'workers'] },
  ),
  topology: optional(
    z.strictObject({
      within: required(z.enum(['nvlink_domain', 'rack', 'zone']), {
        description: 'What all nodes must have in common.',
        examples: ['rack'],
      }),
    }),
    { description: 'How close together the nodes of a job must stand.', examples: [{ within: 'rack' }] },
  ),
  checkpoint: optional(
    z.strictObject({
      path: required(absolutePath, { description: 'Where checkpoints are written.', examples: ['/ckpt'] }),
      every: required(
        duration,
        { description: 'How often.', examples: ['30m'] },
        { also: ['interval', 'period', 'frequency'] },
      ),
    }),
    {
      description: 'How a job saves its work, which decides what a restart costs.',
      examples: [{ path: '/ckpt', every: '30m' }],
    },
    { also: ['checkpoints', 'checkpointing'] },
  ),
  max_duration: optional(
    duration,
    { description: 'When a job is stopped, done or not.', examples: ['2d'] },
    { also: ['timeout', 'max_time', 'deadline', 'max_runtime', 'time_limit'] },
  ),
  completions: optional(
    z.int().min(1).max(1_000_000),
    { description: 'How often a job must succeed.', examples: [10], default: 1 },
    { also: ['runs', 'repeat'] },
  ),
  restart: optional(
    z.strictObject({
      class: optional(z.enum(['inference', 'training']), {
        description:
          'What a restart costs: next to nothing, or everything since the last checkpoint. Left out: inference for services, training for jobs.',
        examples: ['training'],
      }),
      max: optional(
        z.int().min(0).max(10_000),
        {
          description:
            'Restarts after failures without progress before it is given up. Left out: 3 for jobs, any number for services. Progress is a newer checkpoint, or a service that was up and healthy for ten minutes.',
          examples: [3],
        },
        { also: ['retries', 'limit', 'max_restarts'] },
      ),
    }),
    { description: 'What a restart costs decides what may cause one.', examples: [{ class: 'training', max: 3 }] },
    { also: ['restart_policy', 'restartPolicy', 'retry'] },
  ),
  migration: optional(
    z.strictObject({
      on: optional(z.array(z.enum(['outage', 'drain', 'price_drop'])).max(16), {
        description: 'What may move running work. Left out: outage for services, nothing for jobs.',
        examples: [['outage', 'drain']],
      }),
      price_drop: optional(share, { description: 'Move when that much of the price is saved.', examples: ['25%'] }),
    }),
    { description: 'When running work may be moved.', examples: [{ on: ['outage', 'drain'] }] },
  ),
  policy: optional(label, { description: 'Routing policy, owned by the platform team.', examples: ['production'] }),
  labels: optional(
    labels,
    {
      description:
        'What people call it beside its name, for `-l team=ml` in commands: 32 at most. Another label replaces nothing that runs.',
      examples: [{ team: 'ml' }],
    },
    { also: ['label', 'tags', 'tag'] },
  ),
  spot: optional(z.enum(['never', 'allowed', 'only']), {
    description:
      'Whether machines that may be taken away at any time will do: never, allowed or only. Within what the policy permits; left out: as the policy says.',
    examples: ['allowed'],
  }),
  roles: optional(z.record(label, role), {
    description:
      'Parts with resources of their own, such as prefill and decode. What a role leaves out it takes from the workload.',
    examples: [{ prefill: { replicas: 2 } }],
  }),
})

/** A manifest as it stands in the file, with amounts read but nothing filled in. */
export type ManifestFile = z.output<typeof manifestSchema>
