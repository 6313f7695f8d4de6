import { describe, expect, test } from 'vitest'
import type { Offer } from '../core/offer/offer.ts'
import { offer } from '../core/offer/offer.suite.ts'
import { freeze } from '../core/offer/snapshot.ts'
import { bearer, manifestNamed, world } from './server.suite.ts'

const PLANNED = offer({ usdPerHour: 2, spotUsdPerHour: undefined })
const CHEAPER = offer({ id: 'cheaper', instance: 'cheaper', usdPerHour: 1, spotUsdPerHour: undefined })
const PINNED = ['0', '1'].map((slot) => ({ slot, offer: PLANNED.id, usd_per_hour: 2 }))
const SOLD_OUT = { level: 'sold_out', units: 0, seenAtMs: undefined } as const

/** Applies the plan where these are the offers. */
async function applied(offers: readonly Offer[], text = manifestNamed('a')) {
  const one = world({ capacity: async () => ({ snapshot: freeze(offers), config: undefined }) })
  const answer = await one.app.inject({
    method: 'POST',
    url: '/v2/projects/default/workloads',
    headers: bearer(await one.token('writer', ['default'])),
    payload: { text, pinned: PINNED },
  })
  return { answer, rows: await one.deps.service.store.list('workload', { limit: 9 }) }
}

describe('a plan that is applied', () => {
  test('is accepted while its places are to be had, though something else is cheaper', async () => {
    const { answer, rows } = await applied([PLANNED, CHEAPER])
    expect(answer.statusCode).toBe(200)
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['gone', [CHEAPER], 'no provider offers it any more'],
    ['dearer', [{ ...PLANNED, usdPerHour: 2.5 }], 'it costs $2.5 an hour now'],
    ['sold out', [{ ...PLANNED, stock: SOLD_OUT }], 'SOLD_OUT'],
  ])('is refused at once where one of its places is %s, and nothing is written', async (_, offers, why) => {
    const { answer, rows } = await applied(offers)
    expect(answer.statusCode).toBe(409)
    expect(answer.headers['content-type']).toContain('application/problem+json')
    expect(answer.json()).toMatchObject({ code: 'PLAN_STALE', detail: expect.stringContaining(why) })
    expect(rows).toEqual([])
  })

  test('is refused where it has no place for a replica', async () => {
    const { answer } = await applied([PLANNED], manifestNamed('a').replace('replicas: 2', 'replicas: 3'))
    expect(answer.json()).toMatchObject({ code: 'PLAN_STALE', detail: expect.stringContaining('slot 2') })
  })

  test('is looked at as closely where there is such a workload already', async () => {
    const one = world()
    const headers = bearer(await one.token('writer', ['default']))
    const send = (payload: object) =>
      one.app.inject({ method: 'POST', url: '/v2/projects/default/workloads', headers, payload })
    expect((await send({ text: manifestNamed('a') })).statusCode).toBe(200)
    expect((await send({ text: manifestNamed('a'), pinned: PINNED })).json()).toMatchObject({ code: 'PLAN_STALE' })
  })
})
