import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { applyMany, restart, scalePlane, serving, steady } from '../scale/run.ts'

// The real process with a few thousand workloads, in npm run test:all. `node testing/scale/scales.ts` measures ten thousand, on either store.

const BATCH = 1500

test.runIf(IS_WHOLE)(
  'work is accepted at a cost that does not grow with what is there, and a restart touches none of it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-scale-test-'))
    const plane = scalePlane(folder, {})
    onTestFinished(async () => {
      await plane.kill()
      rmSync(folder, { recursive: true, force: true })
    })
    await plane.start()
    // The first ones warm it up. Ratios of processor time: a machine that is busy with other things shows the same.
    const costs: number[] = []
    for (const prefix of ['first', 'second', 'third']) {
      const { applied, failures, perCpuSecond } = await applyMany(plane, BATCH, prefix)
      expect({ applied, failures }).toEqual({ applied: BATCH, failures: {} })
      await serving(plane, BATCH * (costs.length + 1), 120_000)
      costs.push(1 / perCpuSecond)
    }
    const [, second = 0, third = 0] = costs
    expect(third / second).toBeLessThan(1.7)
    const { rssMb } = await steady(plane, 3)
    expect(rssMb).toBeLessThan(400)
    expect(await restart(plane, folder)).toMatchObject({ touched: 0 })
  },
)
