import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runHostile } from '../hostile/run.ts'

// How quick it stays is measured by testing/hostile/hostile.ts on a machine of its own; here it is that nothing breaks.
test('a hostile reader and a hostile writer at once lose nobody the lease, a stop, or their memory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-hostile-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const sizes = { logBytes: 20_000_000, streams: 64, events: 50_000, halves: 200 }
  const report = await runHostile({ folder, seconds: 2, ...sizes, progress: () => undefined })
  expect(report).toMatchObject({ whyFailed: [], failed: 0, leasesLost: 0, stopsOverdue: [] })
  expect(report.rssMibMax).toBeLessThan(500)
  expect(report.streamsRefused).toBeGreaterThan(0)
  expect(report.manifestsRefused).toBeGreaterThan(0)
})
