import type { Manifest, Role } from '../../../src/core/manifest/manifest.ts'
import type { Shape } from '../../../src/controller/offers.suite.ts'

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
  /** Parts with replicas of their own, instead of `replicas`. */
  readonly roles?: readonly { readonly name: string; readonly replicas: number }[] | undefined
  /** What is wrong with this version: it is refused, never comes up, is never well, or dies after a minute. */
  readonly flaw?: 'refused' | 'never' | 'badly' | 'dies' | undefined
  /** What its user agreed to pay for a machine by the hour, the same for every version; left out: nothing was agreed. */
  readonly agreedUsd?: number | undefined
  /** It runs what the image says: not every provider takes another command. */
  readonly isPlain?: boolean
  /** Counts up with each change of the manifest. */
  readonly edition: number
}

/** How much more than agreed is still as agreed. */
export const TOLERANCE = 0.05

export function manifestOf(wish: Wish): Manifest {
  const { checkpointSeconds } = wish
  const resources = resourcesOf(wish)
  const env = envOf(wish)
  return {
    kind: wish.kind,
    name: wish.name,
    image: 'registry.example/work:1',
    command: wish.isPlain === true ? [] : ['work'],
    args: [],
    env,
    secrets: wish.secrets,
    // Not every rented cloud lets callers in.
    ports:
      wish.kind === 'service' && wish.isPlain !== true
        ? [{ name: 'http', port: 80, health: undefined, expose: 'public' }]
        : [],
    storage: [],
    replicas: { min: wish.replicas, max: wish.replicas, target: undefined },
    spread: wish.spread,
    nodes: wish.nodes,
    topology: undefined,
    checkpoint: checkpointSeconds === undefined ? undefined : { path: '/save', everySeconds: checkpointSeconds },
    maxDurationSeconds: wish.maxDurationSeconds,
    completions: wish.completions,
    restart: {
      class: wish.kind === 'job' ? 'training' : 'inference',
      max: wish.restarts,
      // Some services are replaced when they are unhealthy for long.
      ...(wish.kind === 'service' && wish.name.endsWith('5') && { unhealthySeconds: 60 }),
    },
    migration: { on: causesOf(wish), priceDrop: undefined },
    policy: wish.policy,
    resources,
    roles: (wish.roles ?? []).map(({ name, replicas }) => roleOf(name, replicas, { resources, env })),
  }
}

/** Some work stays where it is, whatever its provider does. */
function causesOf({ drains, name }: Wish): Manifest['migration']['on'] {
  if (drains) return ['outage', 'drain']
  return name.endsWith('3') ? [] : ['outage']
}

function envOf({ edition, seconds, exits, checkpointSeconds, flaw }: Wish): Manifest['env'] {
  return {
    EDITION: `${edition}`,
    ...(seconds !== undefined && { SIM_SECONDS: `${seconds}`, SIM_EXIT: exits }),
    ...(checkpointSeconds !== undefined && { SIM_CHECKPOINT_SECONDS: `${checkpointSeconds}` }),
    ...(flaw !== undefined && FLAWS[flaw]),
  }
}

const FLAWS: Readonly<Record<NonNullable<Wish['flaw']>, Manifest['env']>> = {
  refused: { SIM_REFUSE: 'there is no such image' },
  never: { SIM_START: 'never' },
  badly: { SIM_START: 'badly' },
  dies: { SIM_SECONDS: '60', SIM_EXIT: '1' },
}

function resourcesOf({ shape }: Wish): Manifest['resources'] {
  return {
    cpu: undefined,
    memoryGib: undefined,
    diskGib: undefined,
    hostArch: ['amd64'],
    gpu: {
      count: shape === 'whole' ? 8 : 1,
      vendors: ['nvidia'],
      vramGibMin: shape === 'small' ? 20 : 80,
      usableGibMin: undefined,
      arch: [],
      computeCapabilityMin: undefined,
      driverMin: undefined,
      cudaMin: undefined,
      interconnect: 'any',
      sharing: 'never',
    },
  }
}

function roleOf(name: string, replicas: number, { resources, env }: Pick<Manifest, 'resources' | 'env'>): Role {
  const plain = { reserve: undefined, command: ['work'], args: [], ports: [] }
  return { name, resources, replicas: { min: replicas, max: replicas, target: undefined }, env, ...plain }
}
