import { pathToFileURL } from 'node:url'
import { startupSnapshot } from 'node:v8'
import { run } from '../cli/main.ts'
import { encodeSnapshot } from '../formats/snapshot-file.ts'
import { freeze } from '../core/offer/snapshot.ts'
import { OFFER_SOURCES } from '../catalogues/sources.ts'
import { highsSolver } from '../solver/highs.ts'
import { installedWith } from './installed.ts'
import { start } from './start.ts'

// The entry point of the startup snapshot that `npm run build` makes. The build loads everything and makes one plan, so
// that a command starts with its own work and finds its code compiled.

const MANIFEST = `berth: v1
kind: service
name: warm
image: ghcr.io/acme/warm:1
resources:
  cpu: 4
  memory: 16Gi
  gpu: { count: 2, min_vram: 24Gi, arch: [hopper], min_driver: "550", interconnect: nvlink }
ports: [{ name: http, port: 8000, health: /health }]
storage: [{ mount: /scratch, size: 10Gi }]
replicas: 2
spread: provider
`

const OFFERS = `berth: v1
kind: inventory
provider: warm
offers:
  - { region: a, instance: h100-4, gpu: { model: h100-sxm, count: 4 }, cpu: 64, memory: 800Gi, host_arch: amd64, usd_per_hour: 9, spot_usd_per_hour: 5 }
  - { region: b, instance: l4-1, gpu: { model: l4 }, cpu: 8, memory: 32Gi, host_arch: amd64, usd_per_hour: 0.5, stock: sold_out }
  - { region: c, instance: cpu-16, cpu: 16, memory: 64Gi, host_arch: amd64, usd_per_hour: 0.4 }
`

const files = new Map([
  ['w.yaml', new TextEncoder().encode(MANIFEST)],
  ['o.yaml', new TextEncoder().encode(OFFERS)],
  ['o.snapshot', encodeSnapshot(freeze([]))],
])

for (const offers of ['o.yaml', 'o.snapshot']) {
  void run(['plan', 'w.yaml', '--offers', offers], {
    files: { read: (path) => files.get(path), list: () => undefined, write: () => false },
    clock: { nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 },
    terminal: { out: () => {}, err: () => {}, columns: undefined, color: false },
    sources: OFFER_SOURCES,
    solver: () => highsSolver('.'),
    examples: '.',
  })
}

// bin/berth passes the folder Berth is installed in, because this file may have been moved since the build.
startupSnapshot.setDeserializeMainFunction(() => {
  void start(
    process.argv.slice(1),
    installedWith(pathToFileURL(`${process.env['BERTH_ROOT'] ?? '.'}/dist/berth.mjs`).href),
  )
})
