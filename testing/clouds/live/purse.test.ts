import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshTag, launchCall } from '../../../src/providers/contract/bench.suite.ts'
import { cloudBench, type CloudBench } from '../bench.suite.ts'
import { CLOUDS } from '../cases.ts'
import { must } from '../../../src/core/base/assert.ts'
import { spending, sweep, type Purse } from './purse.ts'

let folder: string
let bench: CloudBench
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'berth-live-'))
  bench = await cloudBench(must(CLOUDS['runpod'], 'a cloud'))
})
afterEach(async () => {
  await bench.cleanup()
  rmSync(folder, { recursive: true, force: true })
})

function purse(leftUsd: number): Purse {
  return { leftUsd, journal: join(folder, 'journal', 'runpod') }
}

test('what a killed run left behind is ended at the next start, whoever it was ordered for', async () => {
  const provider = spending(bench.provider, purse(100))
  for (const owner of ['owner-of-the-contract', 'owner-1-1', 'owner-1-2']) {
    const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag({ owner }) }
    expect(await provider.launch(order, launchCall())).toMatchObject({ ok: true })
  }
  const foreign = { ...(await bench.order({ kind: 'long' })), tag: freshTag({ owner: 'somebody-else' }) }
  expect(await bench.provider.launch(foreign, launchCall())).toMatchObject({ ok: true })
  // The run ends here without a word; this is the next one.
  expect(await sweep(await bench.reopen(), purse(100), bench.pass)).toBe(3)
  expect(bench.cloud.engine.billed()).toHaveLength(1)
  expect(await sweep(bench.provider, purse(100), bench.pass)).toBe(0)
})

test('nothing is ordered that the cap does not cover', async () => {
  const order = { ...(await bench.order({ kind: 'long' })), tag: freshTag() }
  const provider = spending(bench.provider, purse(order.usdPerHourMax * 0.75))
  expect(await provider.launch(order, launchCall())).toMatchObject({ ok: true })
  const next = { ...order, tag: freshTag() }
  await expect(async () => provider.launch(next, launchCall())).rejects.toThrow('the spending cap is reached')
  expect(bench.cloud.engine.billed()).toHaveLength(1)
})
