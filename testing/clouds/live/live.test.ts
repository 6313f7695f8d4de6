import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { providerContract } from '../../../src/providers/contract/contract.suite.ts'
import { ROOT } from '../../house/files.ts'
import { CLOUDS } from '../cases.ts'
import { GAPS } from '../gaps.ts'
import { liveBench } from './live.suite.ts'

// `BERTH_LIVE=runpod BERTH_LIVE_KEY=… npx vitest run testing/clouds/live` runs the contract against the live service, with real
// machines that cost real money. See docs/guides/add-a-provider.md.
const name = process.env['BERTH_LIVE']
const key = process.env['BERTH_LIVE_KEY']
const cloud = name === undefined ? undefined : CLOUDS[name]

if (name === undefined) test.skip('BERTH_LIVE=NAME runs the contract against a live service', () => undefined)
else if (cloud === undefined)
  test('BERTH_LIVE names a cloud', () => expect.fail(`${name} is none of ${Object.keys(CLOUDS).join(', ')}`))
else if (key === undefined || key === '') test.skip(`${name}: needs a key in BERTH_LIVE_KEY`, () => undefined)
else {
  vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 3_600_000 })
  const purse = {
    leftUsd: Number(process.env['BERTH_LIVE_USD'] ?? 2),
    journal: join(ROOT, '.cache', 'live', name),
  }
  const settings = JSON.parse(process.env['BERTH_LIVE_SETTINGS'] ?? '{}')
  const image = process.env['BERTH_LIVE_IMAGE']
  providerContract(name, () => liveBench(cloud, { key, purse, settings, image }), GAPS[name] ?? [])
}
