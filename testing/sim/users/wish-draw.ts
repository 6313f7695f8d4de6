import type { Dice } from '../../../src/core/base/dice.ts'
import { SHAPES } from '../../../src/controller/offers.suite.ts'
import type { Wish } from './wishes.ts'

/** Policies of the simulated platform beside the default one. */
export const POLICY_NAMES = ['thrifty', 'capped'] as const

/** What a world is like as a whole. */
export interface Setting {
  /** The project `lab` has limits. */
  readonly limited: boolean
  /** One workload has many slots. */
  readonly large: boolean
  /** One job fails again and again after more than an hour. */
  readonly slow: boolean
}

/** Three to twelve workloads of all kinds. */
export function drawWishes(dice: Dice, { limited, large, slow }: Setting): readonly Wish[] {
  const count = 3 + dice.roll(10)
  const wishes = Array.from({ length: count }, (_, index) => {
    const project = dice.pick([limited ? 'lab' : 'default', 'default', 'default', 'team'])
    const plain = plainWish(`work-${index}`, project, dice)
    return dice.pick([service, service, service, parts, job, gang, crashing])(plain, dice)
  })
  const plain = plainWish('work-extra', 'default', dice)
  if (large) wishes.push({ ...plain, shape: 'small', replicas: 40 + dice.roll(200), policy: undefined })
  if (slow) wishes.push({ ...plain, kind: 'job', shape: 'small', seconds: 3700, exits: '1', restarts: 1 })
  return wishes
}

function plainWish(name: string, project: string, dice: Dice): Wish {
  return {
    name,
    project,
    kind: 'service',
    shape: dice.pick([SHAPES[0], 'small', 'large', 'whole']),
    replicas: 1,
    nodes: 1,
    spread: 'none',
    drains: dice.oneIn(2),
    seconds: undefined,
    exits: '0',
    restarts: undefined,
    completions: 1,
    maxDurationSeconds: undefined,
    checkpointSeconds: undefined,
    policy: dice.oneIn(3) ? dice.pick([...POLICY_NAMES]) : undefined,
    secrets: dice.oneIn(3) ? ['MODEL_TOKEN'] : [],
    edition: 1,
  }
}

function service(plain: Wish, dice: Dice): Wish {
  const spread = dice.oneIn(3) ? dice.pick(['provider', 'region'] as const) : ('none' as const)
  // More replicas than there are places apart could never all run.
  return { ...plain, replicas: spread === 'none' ? 1 + dice.roll(4) : 1 + dice.roll(2), spread }
}

/** A service of two parts that are counted apart. */
function parts(plain: Wish, dice: Dice): Wish {
  const roles = ['prefill', 'decode'].map((name) => ({ name, replicas: 1 + dice.roll(2) }))
  return { ...plain, roles }
}

function job(plain: Wish, dice: Dice): Wish {
  const seconds = 60 + dice.roll(600)
  return {
    ...plain,
    kind: 'job',
    seconds,
    exits: dice.pick(['0', '0', '1,0', '3,1,0']),
    restarts: dice.oneIn(2) ? 5 : undefined,
    completions: dice.oneIn(4) ? 2 : 1,
    checkpointSeconds: dice.oneIn(2) ? 60 : undefined,
    maxDurationSeconds: dice.oneIn(8) ? Math.floor(seconds / 2) : undefined,
  }
}

function gang(plain: Wish, dice: Dice): Wish {
  const seconds = 120 + dice.roll(1000)
  const whole = { exits: '0', completions: 1, maxDurationSeconds: undefined }
  return { ...job(plain, dice), ...whole, seconds, nodes: 2 + dice.roll(3) }
}

/** Ends again and again by its own fault, and is given up in the end. */
function crashing(plain: Wish, dice: Dice): Wish {
  return {
    ...plain,
    seconds: 5 + dice.roll(60),
    exits: '1',
    restarts: dice.roll(4),
    kind: dice.pick(['service', 'job']),
  }
}
