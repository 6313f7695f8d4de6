import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RealPlane } from '../plane/plane.ts'
import { earlierProgram } from './earlier.ts'
import { fill } from './fill.ts'
import { storedIn } from './stored.ts'
import { CONFIG, KIND_COUNT } from './work.ts'

// Writes the golden rows of a released commit, with the control plane of that very commit:
// `node testing/upgrade/write-golden.ts COMMIT`. Needs git and a checkout with its history.

const [commit] = process.argv.slice(2)
if (commit === undefined) throw new Error('say which commit: node testing/upgrade/write-golden.ts 8c61227')
const folder = mkdtempSync(join(tmpdir(), 'berth-golden-'))
const earlier = earlierProgram(commit)
try {
  const config = join(folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const plane = new RealPlane({ folder: join(folder, 'data'), config, program: earlier.program })
  await fill(plane, KIND_COUNT)
  const stored = storedIn(join(folder, 'data', 'berth.db'))
  const few = { ...stored, events: stored.events.slice(0, 20), audit: stored.audit.slice(0, 10) }
  const line = (entries: readonly unknown[]): string => entries.map((one) => `    ${JSON.stringify(one)}`).join(',\n')
  const parts = Object.entries(few).map(([name, entries]) => `  "${name}": [\n${line(entries)}\n  ]`)
  writeFileSync(join(import.meta.dirname, 'golden', `${commit}.json`), `{\n${parts.join(',\n')}\n}\n`)
} finally {
  earlier.remove()
  rmSync(folder, { recursive: true, force: true })
}
