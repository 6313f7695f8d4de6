// Work of all kinds for a control plane of any version, with clouds on which it comes to stand in every phase.

/**
 * `quick` does what it is told. `slow` never gets anything up, `sticky` never gets anything down. `lossy` carries launches
 * out hours later, and nobody knows it; `mute` does not answer some of them. `strict` turns
 * half of the calls away.
 */
export const CONFIG = `berth: v1
kind: config
default_policy: any
providers:
${cloud('quick', 'start_seconds: 0.1, stop_seconds: 0.1, settle_seconds: 1')}
${cloud('slow', 'start_seconds: 100000, settle_seconds: 1')}
${cloud('sticky', 'start_seconds: 0.1, stop_seconds: 100000, settle_seconds: 1')}
${cloud('lossy', 'tokens: false, settle_seconds: 1000000, faults: { late: 1 }')}
${cloud('mute', 'seed: 4, tokens: false, settle_seconds: 1000000, faults: { silent: 0.4 }')}
${cloud('strict', 'start_seconds: 0.1, settle_seconds: 1, faults: { revoked: 0.5 }')}
policies:
${['quick', 'slow', 'sticky', 'lossy', 'mute', 'strict'].map((name) => policy(name, `[${name}]`)).join('')}${policy('any', '[quick]')}`

function cloud(name: string, settings: string): string {
  return `  ${name}:
    kind: sim
    trust: community
    settings:
      { calls_per_second: 100000, ${settings}, offers: [
        { instance: plain, cpu: 8, memory: 32Gi, usd_per_hour: 0.2, stock: 1000000 },
        { instance: card, gpu: { model: l4, count: 1 }, usd_per_hour: 0.7, spot_usd_per_hour: 0.3, stock: 1000000 },
        { instance: cards, gpu: { model: h100-sxm, count: 8 }, usd_per_hour: 20, stock: 1000000 } ] }`
}

function policy(name: string, allow: string): string {
  return `  ${name}:
    objective: cheapest
    spot: allowed
    providers: { allow: ${allow} }
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`
}

/** What is done to one workload: its manifest, and what comes after it. */
export interface Life {
  readonly name: string
  readonly text: string
  /** Applied after the first, to be changed or scaled or ended. */
  readonly after: readonly Deed[]
  /** `late`: only after the control plane was killed once, so that its calls are under way at the end. */
  readonly when: 'early' | 'late'
}

export type Deed =
  | { readonly kind: 'apply'; readonly text: string }
  | { readonly kind: 'scale'; readonly replicas: number; readonly role?: string }
  | { readonly kind: 'stop' | 'remove' }

type Draft = (name: string) => Omit<Life, 'name' | 'when'> & { readonly when?: Life['when'] }

const KINDS: readonly Draft[] = [
  (name) => ({ text: service(name, 'quick', 'replicas: 2\n'), after: [] }),
  (name) => ({ text: rich(name), after: [] }),
  (name) => ({ text: job(name, "{ SIM_SECONDS: '1' }", 'completions: 2\n'), after: [] }),
  (name) => ({
    text: job(name, "{ SIM_SECONDS: '1', SIM_EXIT: '3' }", 'restart: { class: training, max: 0 }\n'),
    after: [],
  }),
  (name) => ({
    text: job(name, "{ SIM_SECONDS: '100000' }", 'checkpoint: { path: /data, every: 1m }\nmax_duration: 9h\n'),
    after: [],
  }),
  (name) => ({ text: service(name, 'slow', 'replicas: 2\n'), after: [] }),
  (name) => ({ text: service(name, 'lossy', 'replicas: 2\n'), after: [] }),
  (name) => ({ text: service(name, 'mute', 'replicas: 6\n'), after: [], when: 'late' }),
  (name) => ({ text: service(name, 'sticky'), after: [{ kind: 'stop' }] }),
  (name) => ({ text: service(name, 'sticky', 'replicas: 2\n'), after: [{ kind: 'remove' }] }),
  (name) => ({ text: service(name, 'quick', 'spread: region\nreplicas: 2\n'), after: [] }),
  (name) => ({ text: service(name, 'quick'), after: [{ kind: 'stop' }] }),
  (name) => ({ text: roles(name), after: [{ kind: 'scale', replicas: 2, role: 'decode' }] }),
  (name) => ({ text: gang(name), after: [] }),
  (name) => ({ text: service(name, 'quick'), after: [{ kind: 'scale', replicas: 3 }] }),
  (name) => ({
    text: service(name, 'quick'),
    after: [{ kind: 'apply', text: service(name, 'quick', "args: ['2']\n") }],
  }),
  (name) => ({ text: service(name, 'strict', 'replicas: 6\n'), after: [] }),
]

/** So many workloads, of every kind in turn. */
export function lives(count: number): readonly Life[] {
  return Array.from({ length: count }, (_, at) => {
    const name = `work-${String(at).padStart(4, '0')}`
    const draft = KINDS[at % KINDS.length]
    if (draft === undefined) throw new Error('there is a kind for every number')
    return { when: 'early', ...draft(name), name }
  })
}

/** One of every kind. */
export const KIND_COUNT = KINDS.length

function service(name: string, policyName: string, more = ''): string {
  return `berth: v1
kind: service
name: ${name}
image: registry.example/app:1
env: { B: two, A: one }
resources: { cpu: 1, memory: 1Gi }
policy: ${policyName}
${more}`
}

function rich(name: string): string {
  return `# Everything that a service can say.
berth: v1
kind: service
name: ${name}
image: registry.example/app:2
command: [serve]
args: ['--port', '8000']
env: { ZONE: a, MODE: fast }
secrets: [MODEL_TOKEN]
ports:
  - { name: http, port: 8000 }
  - { name: admin, port: 8001, expose: private }
storage:
  - { mount: /cache, size: 20Gi }
  - { mount: /models, from: s3://bucket/models }
resources: { cpu: 2, memory: 8Gi, disk: 20Gi, gpu: { count: 1, min_vram: 20Gi, arch: [ada], interconnect: any } }
policy: quick
migration: { on: [outage, drain] }
replicas: { min: 1, max: 4, target: { rps: 10 } }
`
}

function job(name: string, env: string, more: string): string {
  return `berth: v1\nkind: job\nname: ${name}\nimage: registry.example/train:1\nenv: ${env}\nresources: { cpu: 1 }\npolicy: quick\n${more}`
}

function roles(name: string): string {
  return `berth: v1
kind: service
name: ${name}
image: registry.example/app:1
env: { SHARED: 'yes' }
policy: quick
roles:
  prefill: { replicas: 1, resources: { gpu: { count: 1 } }, env: { ROLE: prefill } }
  decode: { replicas: 1, resources: { cpu: 2 }, command: [decode], reserve: 1 }
`
}

function gang(name: string): string {
  return `berth: v1
kind: job
name: ${name}
image: registry.example/train:1
env: { SIM_SECONDS: '100000' }
resources: { gpu: { count: 8, min_vram: 40Gi } }
nodes: 2
topology: { within: rack }
policy: quick
`
}
