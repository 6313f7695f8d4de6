import type { Manifest } from '../core/manifest/manifest.ts'
import type { Shape } from './shelf.ts'

/** A workload of the simulated world, in the few words that matter there. */
export interface Wish {
  readonly name: string
  readonly project: string
  readonly kind: 'service' | 'job'
  readonly shape: Shape
  readonly replicas: number
  readonly nodes: number
  readonly spread: Manifest['spread']
  readonly drains: boolean
  /** How long it runs; undefined: for ever. */
  readonly seconds: number | undefined
  readonly exits: string
  readonly restarts: number | undefined
  readonly completions: number
  readonly maxDurationSeconds: number | undefined
  readonly checkpointSeconds: number | undefined
  readonly policy: string | undefined
  readonly secrets: readonly string[]
  /** Counts up with each change of the manifest. */
  readonly edition: number
}

export function manifestOf(wish: Wish): Manifest {
  const { seconds, checkpointSeconds } = wish
  return {
    kind: wish.kind,
    name: wish.name,
    image: 'registry.example/work:1',
    command: ['work'],
    args: [],
    env: {
      EDITION: `${wish.edition}`,
      ...(seconds !== undefined && { SIM_SECONDS: `${seconds}`, SIM_EXIT: wish.exits }),
      ...(checkpointSeconds !== undefined && { SIM_CHECKPOINT_SECONDS: `${checkpointSeconds}` }),
    },
    secrets: wish.secrets,
    ports: [],
    storage: [],
    replicas: { min: wish.replicas, max: wish.replicas, target: undefined },
    spread: wish.spread,
    nodes: wish.nodes,
    topology: undefined,
    checkpoint: checkpointSeconds === undefined ? undefined : { path: '/save', everySeconds: checkpointSeconds },
    maxDurationSeconds: wish.maxDurationSeconds,
    completions: wish.completions,
    restart: { class: wish.kind === 'job' ? 'training' : 'inference', max: wish.restarts },
    migration: { on: wish.drains ? ['outage', 'drain'] : ['outage'], priceDrop: undefined },
    policy: wish.policy,
    resources: {
      cpu: undefined,
      memoryGib: undefined,
      diskGib: undefined,
      hostArch: ['amd64'],
      gpu: {
        count: wish.shape === 'whole' ? 8 : 1,
        vendors: ['nvidia'],
        vramGibMin: wish.shape === 'small' ? 20 : 80,
        usableGibMin: undefined,
        arch: [],
        computeCapabilityMin: undefined,
        driverMin: undefined,
        cudaMin: undefined,
        interconnect: 'any',
        sharing: 'never',
      },
    },
    roles: [],
  }
}
