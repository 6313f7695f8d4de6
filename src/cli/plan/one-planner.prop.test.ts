import { afterAll, describe, expect, test } from 'vitest'
import { Dice } from '../../core/base/dice.ts'
import { sized } from '../../core/base/laws.suite.ts'
import type { PlanReport } from '../../core/place/explain/report.ts'
import { berth, words } from '../harness.suite.ts'
import { planeWith, type TestPlane } from '../plane.suite.ts'
import { agreedIn } from '../work/agreed.ts'

/** Each has a control plane of its own, and takes a tenth of a second. BERTH_WORLDS=2000 asks for more. */
const WORLDS = Number(process.env['BERTH_WORLDS'] ?? sized({ quick: 12, whole: 1000 }))
const AT_ONCE = Math.min(20, WORLDS)

const MODELS = ['l4', 'l40s', 'h100-sxm'] as const

/** Two or three clouds, now and then with machines of one's own, a policy, and limits of the project in half of the worlds. */
function configOf(dice: Dice): string {
  const names = ['northwind', 'southsea', 'eastfall'].slice(0, 2 + dice.roll(2))
  const providers = names.map((name) => {
    const offers = Array.from({ length: 3 + dice.roll(4) }, (_, index) => offerOf(dice, index))
    const fleet = `      fleets: [{ name: hall, nodes: ${1 + dice.roll(3)}, gpu: { model: ${dice.pick(MODELS)}, count: 4 } }]\n`
    const settings = `      start_seconds: 2\n${dice.oneIn(4) ? fleet : ''}      offers:\n${offers.join('\n')}`
    return `  ${name}:\n    kind: sim\n    settings:\n${settings}`
  })
  const objective = dice.pick(['cheapest', 'balanced', 'fastest-start', 'most-reliable'])
  const fallback = dice.oneIn(3) ? `, fallback: [${names.toReversed().join(', ')}]` : ''
  const limits = `{ max_gpus: ${2 + dice.roll(16)}${dice.oneIn(2) ? `, max_usd_per_hour: ${3 + dice.roll(40)}` : ''} }`
  return `berth: v1
kind: config
providers:
${providers.join('\n')}
policies:
  default: { objective: ${objective}${fallback} }
${dice.oneIn(2) ? `projects: { default: ${limits} }\n` : ''}`
}

function offerOf(dice: Dice, index: number): string {
  const model = dice.pick(MODELS)
  const count = dice.pick([1, 2, 4])
  const price = (count * (5 + dice.roll(40))) / 10
  const stock = dice.oneIn(8) ? 'sold_out' : 1 + dice.roll(6)
  const region = dice.pick(['north', 'south'])
  const gpu = `{ model: ${model}, count: ${count} }`
  const start = dice.oneIn(2) ? `, start_seconds: ${10 + dice.roll(300)}` : ''
  return `        - { region: ${region}, instance: i${index}, gpu: ${gpu}, cpu: 16, memory: 64Gi, host_arch: amd64, usd_per_hour: ${price}, stock: ${stock}${start} }`
}

interface Wanted {
  readonly name: string
  readonly text: (replicas: number) => string
  readonly replicas: number
}

function workloadOf(dice: Dice, name: string): Wanted {
  const isGang = dice.oneIn(5)
  const isSplit = !isGang && dice.oneIn(5)
  const vram = dice.oneIn(3) ? `, min_vram: ${dice.pick(['20Gi', '80Gi'])}` : ''
  const resources = `resources: { gpu: { count: ${dice.pick([1, 1, 2, 4])}${vram} } }`
  const spread = dice.oneIn(3) ? `spread: ${dice.pick(['provider', 'region'])}\n` : ''
  const head = `berth: v1\nname: ${name}\nimage: a:1\n`
  const text = (replicas: number): string => {
    if (isGang) return `${head}kind: job\nnodes: 2\ncompletions: ${replicas}\n${resources}\n`
    if (!isSplit) return `${head}kind: service\nreplicas: ${replicas}\n${spread}${resources}\n`
    const roles = ['decode', 'prefill'].map((role, at) => `  ${role}: { replicas: ${at + replicas}, ${resources} }`)
    return `${head}kind: service\n${spread}roles:\n${roles.join('\n')}\n`
  }
  return { name, text, replicas: 1 + dice.roll(isGang ? 1 : 3) }
}

/** Slots with their places and prices. */
type Places = readonly string[]

function placesIn({ chosen, asks }: PlanReport): Places {
  const places = chosen.map(({ role, replica, node, offer, own }) => {
    const group = role === undefined ? `${replica}` : `${role}-${replica}`
    const isGang = asks.some((ask) => ask.role === role && ask.nodes > 1)
    return `${isGang ? `${group}.${node}` : group} ${offer.id} ${own?.node ?? ''} ${offer.usd_per_hour}`
  })
  return places.toSorted()
}

async function boundIn(plane: TestPlane, name: string): Promise<Places> {
  const rows = await plane.store.list('placement', { prefix: `default/${name}/`, limit: 100 })
  const places = rows.map(({ body: { order, reserved } }) => {
    const { offer, node } = order.place
    return `${order.tag.slot} ${offer} ${node?.id ?? ''} ${reserved.usdPerHour}`
  })
  return places.toSorted()
}

const seen = { worlds: 0, placed: 0, waiting: 0, held: 0, fleets: 0, changed: 0 }

interface Step {
  readonly dice: Dice
  readonly plane: TestPlane
  readonly before: Places
}

/** Plans, looks at the dry run, applies, and waits until the leader has decided. Returns what is bound then. */
async function applied({ name }: Wanted, text: string, { dice, plane, before }: Step): Promise<Places> {
  const world = { files: { 'w.yaml': text }, control: () => plane }
  const shown = JSON.parse((await berth(words('plan w.yaml -o json'), world)).out) as PlanReport
  const dry = JSON.parse((await berth(words('apply w.yaml --dry-run -o json'), world)).out) as {
    readonly plans: readonly [{ readonly plan: PlanReport }]
  }
  expect(dry.plans[0].plan).toEqual(shown)
  const agreed = dice.oneIn(2) ? agreedIn(shown, {}) : undefined
  const { outcome } = await plane.apply({ project: 'default', text, file: 'w.yaml', agreed })
  await plane.pass(1)
  const bound = await boundIn(plane, name)
  expect(bound.filter((place) => !before.includes(place))).toEqual(placesIn(shown))
  const status = (await plane.store.get('status', `default/${name}`))?.body
  expect(status?.waiting === undefined).toBe(shown.fits)
  if (shown.held !== undefined) expect(status?.waiting).toMatchObject(shown.held)
  seen.placed += placesIn(shown).length
  if (!shown.fits) seen.waiting++
  if (shown.held !== undefined) seen.held++
  if (outcome === 'changed') seen.changed++
  seen.fleets += shown.chosen.filter(({ own }) => own !== undefined).length
  // Until the planner and the leader have both read the offers again: a minute is how long a reading is good for.
  await plane.pass(65)
  return boundIn(plane, name)
}

describe.each(Array.from({ length: WORLDS / AT_ONCE }, (_, index) => index * AT_ONCE))('worlds from %i on', (first) => {
  test('the plan, the dry run and what is bound next are the same choices', async () => {
    for (let seed = first; seed < first + AT_ONCE; seed++) {
      const dice = new Dice(seed)
      const config = configOf(dice)
      const plane = planeWith(async () => {}, { config })
      await plane.pass(5)
      for (const name of ['one', 'two', 'three'].slice(0, 1 + dice.roll(3))) {
        const wanted = workloadOf(dice, name)
        try {
          const before = await applied(wanted, wanted.text(wanted.replicas), { dice, plane, before: [] })
          const isWhole = !wanted.text(1).includes('kind: job') && dice.oneIn(2)
          if (isWhole) await applied(wanted, wanted.text(wanted.replicas + 1), { dice, plane, before })
        } catch (error) {
          throw new Error(`seed ${seed}, ${name}:\n${config}\n${wanted.text(wanted.replicas)}`, { cause: error })
        }
      }
      await plane.abandon()
      seen.worlds++
    }
  }, 240_000)
})

afterAll(() => {
  const share = (count: number): number => count / seen.worlds
  expect(share(seen.placed)).toBeGreaterThan(2)
  expect(share(seen.waiting)).toBeGreaterThan(0.3)
  expect(share(seen.held)).toBeGreaterThan(0.1)
  expect(share(seen.fleets)).toBeGreaterThan(0.1)
  expect(share(seen.changed)).toBeGreaterThan(0.1)
})
