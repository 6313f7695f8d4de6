import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { runChurn } from './run.ts'

// The short form of `node testing/gateway/churn.ts --minutes 60`.

test('replicas come, go and die, one gateway is replaced, the control plane is away: no request fails, and nothing is left', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-churn-'))
  const report = await runChurn({ folder, minutes: sized({ quick: 0.1, whole: 0.5 }), progress: () => undefined })
  rmSync(folder, { recursive: true, force: true })
  expect(report.failures).toEqual([])
  expect(report.wrong).toEqual([])
  expect(report.replaced).toBeGreaterThan(0)
})
