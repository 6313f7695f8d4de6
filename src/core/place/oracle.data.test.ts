import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { NOW_MS } from '../requirement/filter/facts.suite.ts'
import type { Offer } from '../offer/offer.ts'
import { freeze, listingAt, type Snapshot } from '../offer/snapshot.ts'
import { importSkypilot } from '../../catalogues/skypilot/skypilot.ts'
import { derive } from './derive.ts'
import { passesNewer } from './newer.suite.ts'
import { manifestOf, policyOf, scan } from './oracle.suite.ts'
import { decide } from './decide.suite.ts'
import { REQUESTS } from './requests.suite.ts'
import { IS_WHOLE } from '../base/laws.suite.ts'

const CATALOGUES = join(process.env['BERTH_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'catalog')

// By npm run test:all alone: src/core/place/oracle.test.ts asks the same of a smaller capacity.
describe.skipIf(!IS_WHOLE || !existsSync(CATALOGUES))('the planner and a plain scan of all catalogues', () => {
  let capacity: readonly Offer[] = []
  let snapshot: Snapshot = freeze([])

  beforeAll(() => {
    const files = readdirSync(CATALOGUES)
      .map((cloud) => ({ cloud, path: join(CATALOGUES, cloud, 'vms.csv') }))
      .filter(({ path }) => existsSync(path))
      .map(({ cloud, path }) => ({ cloud, text: readFileSync(path, 'utf8') }))
    capacity = importSkypilot(files).rows.map((row) => row.offer)
    snapshot = freeze(capacity)
  }, 120_000)

  test('look at the same offers', () => {
    expect(capacity.length).toBeGreaterThan(100_000)
    expect(snapshot.rows.instance).toHaveLength(capacity.length)
  })

  test.each(REQUESTS.map((request) => [request.title, request] as const))(
    'find the same cheapest for %s',
    (_, request) => {
      const plan = decide(snapshot, derive(manifestOf(request), policyOf(request), NOW_MS))
      const [choice] = plan.asks.flatMap((ask) => ask.choices)
      const found = choice && {
        id: listingAt(snapshot, choice.standing.row).id,
        usdPerHour: choice.standing.usdPerHour,
      }
      expect(found).toEqual(scan(capacity.filter(passesNewer(request)), request))
    },
  )

  test('can have most of what is asked', () => {
    const had = REQUESTS.filter((request) => scan(capacity, request) !== undefined)
    expect(had.length).toBeGreaterThanOrEqual(0.8 * REQUESTS.length)
  })
})
