import { expect, test } from 'vitest'
import { offer } from '../core/offer/offer.suite.ts'
import { freeze } from '../core/offer/snapshot.ts'
import type { DeskDoors } from './doors.ts'
import { listShelf, searchShelf } from './offers.ts'
import { desk, refusalOf } from './platform.suite.ts'

const CONFIG = 'providers:\n  alpha: { kind: sim }\n  beta: { kind: sim }\nprojects:\n  lab: { providers: [beta] }'

/** A desk with a machine of each of two providers; project `lab` may use `beta` alone. */
function furnished(): DeskDoors {
  const doors = desk({ config: CONFIG })
  const snapshot = freeze([offer({ provider: 'alpha', usdPerHour: 1 }), offer({ provider: 'beta', usdPerHour: 2 })])
  return { ...doors, shelf: async () => ({ snapshot, config: doors.config() }) }
}

const text = 'berth: v1\nkind: job\nname: search\nimage: a\nresources: { cpu: 1 }\n'

test('lists what there is, cheapest first, as far as the project may use it', async () => {
  const all = await listShelf(furnished(), { project: 'default' })
  expect(all.offers.map(({ provider }) => provider)).toEqual(['alpha', 'beta'])
  const few = await listShelf(furnished(), { project: 'lab' })
  expect(few).toMatchObject({ matching: 1, quarantined: 0, providers: ['beta'], offers: [{ provider: 'beta' }] })
  expect(JSON.stringify(few)).not.toContain('alpha')
})

test('what is not for the project is not there, also by its name', async () => {
  expect(await listShelf(furnished(), { project: 'lab', provider: 'alpha' })).toMatchObject({ matching: 0, offers: [] })
})

test('what runs as Berth’s own user is listed for those only who may use it', async () => {
  const doors = furnished()
  const unwalled = { ...doors, providers: { ...doors.providers, unwalled: () => ['alpha'] } }
  expect((await listShelf(unwalled, { project: 'default' })).providers).toEqual(['beta'])
})

test('finds every offer that meets a manifest, and says why the others do not', async () => {
  const found = await searchShelf(furnished(), { project: 'default', text, file: 'm' })
  expect(found.offers.map(({ provider }) => provider)).toEqual(['alpha', 'beta'])
  expect(found.plan.fits).toBe(true)
  const none = await searchShelf(furnished(), { project: 'lab', text: text.replace('cpu: 1', 'cpu: 4000'), file: 'm' })
  expect([none.offers, none.plan.fits]).toEqual([[], false])
  expect(none.plan.asks.flatMap(({ nearest }) => nearest).map(({ offer: { provider } }) => provider)).toEqual(['beta'])
})

test('a policy that is not there is said', async () => {
  const request = { project: 'default', text: `${text}policy: nowhere\n`, file: 'm' }
  expect(await refusalOf(searchShelf(furnished(), request))).toEqual([expect.stringContaining('POLICY_UNKNOWN')])
})
