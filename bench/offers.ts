import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { configFrom, manifestFrom } from '../src/cli/inputs.ts'
import { policyFor } from '../src/cli/plan/deciding.ts'
import { must } from '../src/core/base/assert.ts'
import type { Snapshot } from '../src/core/offer/snapshot.ts'
import { derive } from '../src/core/place/derive.ts'
import type { DecisionInput } from '../src/core/place/plan.ts'
import { decodeSnapshot, isSnapshot } from '../src/formats/snapshot-file.ts'

const ROOT = join(import.meta.dirname, '..')
const NOW_MS = Date.parse('2026-11-15T10:05:00Z')

/** Opens offers. Anything but a snapshot is compiled to one by a process of its own, whose memory is not measured. */
export function openOffers(path: string): Snapshot {
  const bytes = statSync(path).isFile() ? readIfSnapshot(path) : undefined
  if (bytes !== undefined) return must(decodeSnapshot(bytes), `${path} is damaged`)
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
  const file = join(folder, 'offers.snapshot')
  try {
    execFileSync(join(ROOT, 'bin/berth'), ['offers', 'import', '--offers', path, '--to', file], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return must(decodeSnapshot(readFileSync(file)), 'a snapshot that was just written')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The questions that the example manifests ask, each under the default policy and under one that allows spot. */
export function questions(): readonly DecisionInput[] {
  const config = configFrom({
    file: 'berth.config.yaml',
    text: readFileSync(join(ROOT, 'examples/platform/berth.config.yaml'), 'utf8'),
  })
  const files = readdirSync(join(ROOT, 'examples')).filter((name) => name.endsWith('.yaml'))
  return files.flatMap((name) => {
    const manifest = manifestFrom({ file: name, text: readFileSync(join(ROOT, 'examples', name), 'utf8') })
    return [undefined, 'research'].map((policy) =>
      derive(manifest, policyFor(policy, policy === undefined ? undefined : config), NOW_MS),
    )
  })
}

function readIfSnapshot(path: string): Uint8Array | undefined {
  const bytes = readFileSync(path)
  return isSnapshot(bytes) ? bytes : undefined
}
