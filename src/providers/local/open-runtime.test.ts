import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProviderDeps } from '../../ports/provider.ts'
import { openLocal, realDeps } from './bench.suite.ts'

const path = process.env['PATH']
const warnings: string[] = []
let deps: ProviderDeps

beforeEach(() => {
  const real = realDeps()
  warnings.length = 0
  deps = { ...real, log: { ...real.log, warn: (text) => void warnings.push(text) } }
  mkdirSync(join(deps.folder, 'bin'))
  // Nothing else is found: neither engine is there.
  process.env['PATH'] = join(deps.folder, 'bin')
})

afterEach(() => {
  process.env['PATH'] = path
  rmSync(deps.folder, { recursive: true, force: true })
})

/** An engine that answers. */
function install(): void {
  writeFileSync(join(deps.folder, 'bin', 'podman'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(deps.folder, 'bin', 'podman'), 0o755)
}

async function lacksOf(): Promise<string> {
  const provider = await openLocal({ runtime: 'auto', gpus: [] }, deps)
  await provider.close?.()
  return (provider.lacks ?? []).join('\n')
}

test('auto says when it became processes, and why', async () => {
  expect(await lacksOf()).toContain('runtime: auto chose process. There is no program podman on this host.')
  expect(warnings).toEqual([expect.stringContaining('Programs run as the user of berth')])
})

test('auto stays with processes while there are any, and takes an engine afterwards', async () => {
  await lacksOf()
  mkdirSync(join(deps.folder, 'attempts', 'one'))
  install()
  expect(await lacksOf()).toContain('programs run as the user of berth')
  rmSync(join(deps.folder, 'attempts', 'one'), { recursive: true })
  expect(await lacksOf()).not.toContain('programs run as the user of berth')
})

test('auto that found an engine never becomes processes', async () => {
  install()
  await lacksOf()
  rmSync(join(deps.folder, 'bin', 'podman'))
  await expect(lacksOf()).rejects.toThrow('There is no program podman on this host.')
})
