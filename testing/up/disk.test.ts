import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runDisk, whyNoDisk } from '../disk/run.ts'

const folder = mkdtempSync(join(tmpdir(), 'berth-disk-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const why = whyNoDisk()
if (why !== undefined) test.skip(`a full disk: ${why}`)

test.skipIf(why !== undefined)(
  'a disk that is full to the last byte loses nothing, lets work be removed, and needs no restart',
  async () => {
    const report = await runDisk({ folder, rounds: 1, fullMs: 500, progress: () => undefined })
    expect(report).toMatchObject({ lost: [], wrong: [], removedWhileFull: 2 })
    expect(report.refused).toBeGreaterThan(0)
  },
)
