import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A minute of real providers, services and callers: for the whole run. */
test.runIf(IS_WHOLE)('the demo goes through all its troubles, and no caller notices', async () => {
  const demo = [join(ROOT, 'scripts/demo/demo.ts'), '--once', '-o', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, demo, { cwd: ROOT })
  const { requests, failed, steps, troubles, why_failed: whyFailed } = JSON.parse(stdout)
  expect(whyFailed).toEqual([])
  expect({ failed, troubles: troubles.length }).toEqual({ failed: 0, troubles: 5 })
  expect(requests).toBeGreaterThan(1000)
  expect(steps).toBeGreaterThan(50)
})
