import { expect, test } from 'vitest'
import { UserError } from '../../src/core/base/problem.ts'
import { ManifestReader } from '../../src/up/parse.ts'
import { costliestTurnMs } from '../../src/core/base/cpu.suite.ts'

const HEAD = 'berth: v1\nkind: service\nname: big\nimage: a/b:1\nresources: { cpu: 1 }\n'
const LONG = `${HEAD}args:\n${Array.from({ length: 1000 }, () => `  - ${'x'.repeat(240)}\n`).join('')}`
const WRONG = `${HEAD}${Array.from({ length: 5000 }, (_, at) => `wrong_${at}: 1\n`).join('')}`

/** No machine is so busy that a thread does not start, and read, within this. */
const PATIENT_MS = 200_000

async function problemsOf(reading: unknown): Promise<readonly string[]> {
  try {
    await reading
  } catch (error) {
    if (error instanceof UserError) return error.problems.map(({ code }) => code)
    throw error
  }
  return []
}

test('a large manifest is read in a thread of its own, to the same end, while others are answered', async () => {
  const reader = new ManifestReader({ longestMs: PATIENT_MS })
  expect(await reader.read(LONG, 'warm.yaml')).toMatchObject({ manifest: { name: 'big' } })
  const reading = Promise.all([reader.read(LONG, 'a.yaml'), problemsOf(reader.read(WRONG, 'b.yaml'))])
  const costliestMs = await costliestTurnMs(reading)
  const all = await reading
  expect(all[0].manifest.args).toHaveLength(1000)
  expect(all[1].slice(0, 2)).toEqual(['KEY_UNKNOWN', 'KEY_UNKNOWN'])
  // Reading both takes some hundred milliseconds wherever that is done.
  expect(costliestMs).toBeLessThan(100)
  await reader.close()
})

test('a small one is read at once, and a thread that cannot be had costs nobody their manifest', async () => {
  const reader = new ManifestReader({ file: '/nowhere/worker.ts' })
  expect(reader.read(HEAD, 'a.yaml')).toMatchObject({ manifest: { name: 'big' } })
  expect(await reader.read(LONG, 'a.yaml')).toMatchObject({ manifest: { name: 'big' } })
  expect(await problemsOf(reader.read(WRONG, 'b.yaml'))).toContain('KEY_UNKNOWN')
})

test('one that takes too long is refused, and those behind it are read', async () => {
  const reader = new ManifestReader({ longestMs: 1 })
  const first = problemsOf(reader.read(LONG, 'a.yaml'))
  expect(await first).toEqual(['MANIFEST_TOO_SLOW'])
  await reader.close()
  const patient = new ManifestReader({ longestMs: PATIENT_MS })
  expect(await patient.read(LONG, 'b.yaml')).toMatchObject({ manifest: { name: 'big' } })
  await patient.close()
})
