import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sized } from '../../src/core/base/laws.suite.ts'
import { runAway } from './away-run.ts'

// The short form of `node testing/gateway/away.ts --minutes 10`, in `npm run test:all` alone: most of it is waiting.
const isLeftOut = sized({ quick: true, whole: false })

test.skipIf(isLeftOut)(
  'the control plane is killed, a replica dies while it is away, and the next one repairs that: no request fails',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-away-'))
    const report = await runAway({ folder, minutes: 0.5, requestsPerSecond: 100, progress: () => undefined })
    rmSync(folder, { recursive: true, force: true })
    expect(report.failures).toEqual([])
    expect(report.requestsAway).toBeGreaterThan(0)
    expect(report.replicas).toEqual({ before: 3, away: 2, after: 3 })
  },
)
