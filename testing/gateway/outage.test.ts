import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { runOutage } from './outage-run.ts'

// The small form of `node testing/gateway/outage.ts --services 200`: minutes of waiting for time limits, so only in the whole run.

const hasPerl = spawnSync('perl', ['-MIO::Socket::INET', '-e', '1'], { stdio: 'ignore' }).status === 0

test.runIf(IS_WHOLE && hasPerl)(
  'a provider takes requests and answers none: its services are elsewhere or wait, and what it ran is ended when it is back',
  { timeout: 900_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-outage-'))
    const report = await runOutage({ folder, services: 20, silentMinutes: 3, progress: () => undefined })
    rmSync(folder, { recursive: true, force: true })
    expect(report.settledAfterGraceMs).toBeLessThanOrEqual(60_000)
    expect([report.moved, Object.values(report.waiting)]).toEqual([15, [5]])
    expect(report).toMatchObject({ failed: 0, fencedRequests: 0, left: 5 })
    expect(report.requestsBefore).toBeGreaterThan(0)
    expect(report.endedAfterMs).toBeLessThanOrEqual(300_000)
    expect(report.ledger).toMatchObject({ closed: 15, running: 5 })
    // From the order to the proof of the end: never less than the provider itself bills, and hardly more.
    expect(report.ledger.hours).toBeGreaterThanOrEqual(report.trueHours * 0.98)
    expect(report.ledger.hours).toBeLessThanOrEqual(report.trueHours * 1.2)
  },
)
