import { expect, test } from 'vitest'
import { configFrom } from '../../src/cli/inputs.ts'
import { printPlan } from '../../src/cli/print/plan.ts'
import { ProviderGates } from '../../src/controller/provider-gates.ts'
import { Planner } from '../../src/controller/planner.ts'
import { Story } from '../../src/controller/story.suite.ts'
import { allToPlace, workloadOf } from '../../src/core/life/keep.suite.ts'
import type { Files } from '../../src/ports/files.ts'
import { paperProviders, paperCapacity } from '../../src/up/paper.ts'

const CONFIG = `berth: v1
kind: config
providers:
  northwind: { offers: [northwind.yaml] }
  toy: { kind: sim }
  idle: { offers: [idle.yaml], enabled: false }
`
const PRICES = `berth: v1
kind: inventory
provider: northwind
offers:
  - { instance: l4, region: r1, host_arch: amd64, gpu: { model: l4 }, cpu: 8, memory: 32Gi, usd_per_hour: 0.14 }
  - { instance: plain, region: r1, host_arch: amd64, cpu: 8, memory: 32Gi, usd_per_hour: 0.05 }
`
const TEXTS: Readonly<Record<string, string>> = { 'etc/c.yaml': CONFIG, 'etc/northwind.yaml': PRICES }

const files: Files = {
  read: (path: string) => (TEXTS[path] === undefined ? undefined : new TextEncoder().encode(TEXTS[path])),
  list: () => undefined,
  write: () => false,
}

const config = configFrom({ text: CONFIG, file: 'etc/c.yaml' })
const said: string[] = []
const log = { info: () => undefined, warn: (text: string) => said.push(text), error: () => undefined }
const NOTEBOOK = workloadOf('berth: v1\nkind: service\nname: nb\nimage: a:1\nresources: { gpu: { count: 1 } }\n')

test('providers without a kind are price lists only: their offers are mentioned, and never taken', async () => {
  expect(paperProviders(config)).toEqual(['northwind'])
  const story = new Story()
  const deps = story.depsOf('planner')
  const paper = paperCapacity({ config, configPath: 'etc/c.yaml', files, log })
  const plan = new Planner(deps, new ProviderGates(deps), paper).plan('default', [allToPlace(NOTEBOOK)])
  await story.pass(1)
  const report = await plan
  expect(said).toEqual([])
  expect(report.fits).toBe(false)
  expect(report.on_paper).toEqual({ providers: ['northwind'], offers: 2, fitting: 1, usd_per_hour: 0.14 })
  expect(printPlan(report, { again: undefined, elapsedMs: undefined, nowMs: 0, all: 'one-screen' })).toContain(
    'Price lists only, cannot be launched (no `kind`): 2 offers from northwind; 1 of them would fit, from $0.14/h.',
  )
})

test('what cannot be read is said once, and plans go on without it', () => {
  const capacity = paperCapacity({ config, configPath: 'elsewhere/c.yaml', files, log })
  expect([capacity(), capacity()]).toEqual([undefined, undefined])
  expect(said).toHaveLength(1)
})
