import type { Dice } from '../../../src/core/base/dice.ts'
import type { Berth } from '../../../src/ports/berth.ts'

/** What an operator of the simulated platform does, beside workloads; each through the API. Nothing here touches what runs. */
export const CHORES = {
  'set-secret': (berth) => berth.setSecret({ project: 'default', name: 'SPARE', value: 'spare' }),
  'remove-secret': (berth) => berth.removeSecret({ project: 'default', name: 'SPARE' }),
  'push-template': (berth) => berth.pushTemplate({ project: 'default', name: 'chat', text: TEMPLATE }),
  'remove-template': (berth) => berth.removeTemplate({ project: 'default', name: 'chat' }),
  'set-policy': (berth) => berth.setPolicy({ name: 'frugal', settings: { objective: 'cheapest' } }),
  'remove-policy': (berth) => berth.removePolicy({ name: 'frugal' }),
  'set-project': (berth) => berth.setProject({ project: 'elsewhere', gpus_max: 4 }),
  'add-provider': (berth) => berth.addProvider({ name: 'spare', kind: 'sim', settings: {} }),
  'change-provider': (berth) => berth.addProvider({ name: 'spare', kind: 'sim', settings: { region: 'east' } }),
  'cordon-provider': (berth) => berth.setProvider({ name: 'spare', state: 'cordoned' }),
  'remove-provider': (berth) => berth.removeProvider({ name: 'spare' }),
} as const satisfies Readonly<Record<string, Deed>>

type Deed = (berth: Berth) => Promise<unknown>

export type Chore = keyof typeof CHORES

const TEMPLATE = `berth: v1
kind: service
name: chat
image: acme/chat:1
resources: { gpu: { count: 1 } }
`

/** Each thing is made before it is changed, and changed before it is removed; some are never removed. */
const LIVES: readonly (readonly Chore[])[] = [
  ['set-secret', 'set-secret', 'remove-secret'],
  ['push-template', 'remove-template'],
  ['set-policy', 'remove-policy'],
  ['set-project'],
  ['add-provider', 'change-provider', 'cordon-provider', 'remove-provider'],
]

/** The chores of a world, in time. */
export function drawChores(dice: Dice, stormMs: number): readonly { readonly at: number; readonly chore: Chore }[] {
  return LIVES.flatMap((chores) => {
    if (dice.oneIn(2)) return []
    const beginMs = dice.next() * 0.4 * stormMs
    const apartMs = (0.5 * stormMs) / LIVES.length
    return chores.map((chore, index) => ({ at: Math.floor(beginMs + index * apartMs), chore }))
  })
}
