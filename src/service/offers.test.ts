import { expect, test } from 'vitest'
import { offer } from '../core/offer/offer.suite.ts'
import { freeze } from '../core/offer/snapshot.ts'
import type { ServiceDeps } from './deps.ts'
import { listCapacity, searchCapacity } from './offers.ts'
import { service, refusalOf } from './platform.suite.ts'

const CONFIG = 'providers:\n  alpha: { kind: sim }\n  beta: { kind: sim }\nprojects:\n  lab: { providers: [beta] }'

/** A service with a machine of each of two providers; project `lab` may use `beta` alone. */
function furnished(): ServiceDeps {
  const deps = service({ config: CONFIG })
  const snapshot = freeze([offer({ provider: 'alpha', usdPerHour: 1 }), offer({ provider: 'beta', usdPerHour: 2 })])
  return { ...deps, capacity: async () => ({ snapshot, config: deps.config() }) }
}

const text = 'berth: v1\nkind: job\nname: search\nimage: a\nresources: { cpu: 1 }\n'

test('lists what there is, cheapest first, as far as the project may use it', async () => {
  const all = await listCapacity(furnished(), { project: 'default' })
  expect(all.offers.map(({ provider }) => provider)).toEqual(['alpha', 'beta'])
  const few = await listCapacity(furnished(), { project: 'lab' })
  expect(few).toMatchObject({ matching: 1, quarantined: 0, providers: ['beta'], offers: [{ provider: 'beta' }] })
  expect(JSON.stringify(few)).not.toContain('alpha')
})

test('what is not for the project is not there, also by its name', async () => {
  expect(await listCapacity(furnished(), { project: 'lab', provider: 'alpha' })).toMatchObject({
    matching: 0,
    offers: [],
  })
})

test('what runs as Berth’s own user is listed for those only who may use it', async () => {
  const deps = furnished()
  const unwalled = { ...deps, providers: { ...deps.providers, unwalled: () => ['alpha'] } }
  expect((await listCapacity(unwalled, { project: 'default' })).providers).toEqual(['beta'])
})

test('finds every offer that meets a manifest, and says why the others do not', async () => {
  const found = await searchCapacity(furnished(), { project: 'default', text, file: 'm' })
  expect(found.offers.map(({ provider }) => provider)).toEqual(['alpha', 'beta'])
  expect(found.plan.fits).toBe(true)
  const none = await searchCapacity(furnished(), {
    project: 'lab',
    text: text.replace('cpu: 1', 'cpu: 4000'),
    file: 'm',
  })
  expect([none.offers, none.plan.fits]).toEqual([[], false])
  expect(none.plan.asks.flatMap(({ nearest }) => nearest).map(({ offer: { provider } }) => provider)).toEqual(['beta'])
})

test('an unknown policy is reported', async () => {
  const request = { project: 'default', text: `${text}policy: nowhere\n`, file: 'm' }
  expect(await refusalOf(searchCapacity(furnished(), request))).toEqual([expect.stringContaining('POLICY_UNKNOWN')])
})
