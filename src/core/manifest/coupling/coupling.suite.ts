import type { SourceDocument } from '../../document/document.ts'
import { findCouplings } from './coupling.ts'

/** A snippet that a user might write, and everything that is found in it. */
export interface CouplingCase {
  readonly name: string
  readonly text: string
  /** As `goldenOf` prints it. */
  readonly finds: string
}

/** The couplings of a document in a form that can be read and compared: place and text, message, hint. */
export function goldenOf(document: SourceDocument): string {
  const blocks = findCouplings(document).map(({ place, found, message, hint }) => {
    const hints = (hint ?? '').split('\n').map((line) => `    ${line}`)
    return [`${place?.line}:${place?.column}+${place?.length} ${found}`, `  ${message}`, ...hints].join('\n')
  })
  return blocks.join('\n')
}

/** Manifests that say what they need and nothing else. */
export const CLEAN_MANIFESTS: readonly Pick<CouplingCase, 'name' | 'text'>[] = [
  {
    name: 'a service with everything',
    text: `
berth: v1
kind: service
name: llama-70b
image: ghcr.io/acme/vllm:0.22
command: [vllm, serve, /models/llama-70b]
resources:
  cpu: 16
  memory: 200Gi
  disk: 100Gi
  gpu:
    count: 4
    min_vram: 80Gi
    arch: [hopper, blackwell]
    min_driver: "550"
    interconnect: nvlink
    sharing: never
env: { MODEL: llama-70b }
secrets: [HF_TOKEN]
ports: [{ name: http, port: 8000, health: /health }]
storage: [{ mount: /models, from: s3://acme/models, mode: ro }, { mount: /scratch, size: 500Gi }]
replicas: 2
spread: provider
restart: { class: inference }
migration: { on: [outage, drain, price_drop], price_drop: 25% }
policy: production
`,
  },
  {
    name: 'a gang with checkpoints',
    text: `
berth: v1
kind: job
name: train-big
image: ghcr.io/acme/train:3
nodes: 2
topology: { within: nvlink_domain }
checkpoint: { path: /ckpt, every: 30m }
max_duration: 2d
completions: 1
restart: { class: training }
resources:
  gpu: { count: 8, min_usable_vram: 79Gi, min_compute_capability: "9.0", min_cuda: "12.4", interconnect: nvswitch }
`,
  },
  {
    name: 'roles with headroom',
    text: `
berth: v1
kind: service
name: split
image: ghcr.io/acme/vllm:0.22
ports: [{ name: http, port: 8000 }]
roles:
  prefill: { replicas: 2, reserve: 25%, resources: { gpu: { count: 2, min_vram: 80Gi } } }
  decode: { replicas: { min: 1, max: 8 }, resources: { host_arch: arm64, gpu: { count: 1, sharing: mig } } }
`,
  },
]

/** What is said about a document, as pairs of message and hint. */
export function answersTo(document: SourceDocument): readonly (readonly [message: string, hint: string | undefined])[] {
  return findCouplings(document).map(({ message, hint }) => [message, hint] as const)
}
