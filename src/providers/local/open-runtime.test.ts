import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ProviderDoors } from '../../ports/provider.ts'
import { openLocal, realDoors } from './bench.suite.ts'

const path = process.env['PATH']
const warnings: string[] = []
let doors: ProviderDoors

beforeEach(() => {
  const real = realDoors()
  warnings.length = 0
  doors = { ...real, log: { ...real.log, warn: (text) => void warnings.push(text) } }
  mkdirSync(join(doors.folder, 'bin'))
  // Nothing else is found: neither engine is there.
  process.env['PATH'] = join(doors.folder, 'bin')
})

afterEach(() => {
  process.env['PATH'] = path
  rmSync(doors.folder, { recursive: true, force: true })
})

/** An engine that answers. */
function install(): void {
  writeFileSync(join(doors.folder, 'bin', 'podman'), '#!/bin/sh\nexit 0\n')
  chmodSync(join(doors.folder, 'bin', 'podman'), 0o755)
}

async function lacksOf(): Promise<string> {
  const provider = await openLocal({ runtime: 'auto', gpus: [] }, doors)
  await provider.close?.()
  return (provider.lacks ?? []).join('\n')
}

test('auto says when it became processes, and why', async () => {
  expect(await lacksOf()).toContain('runtime: auto became process. There is no program podman on this host.')
  expect(warnings).toEqual([expect.stringContaining('Programs run as the user of berth')])
})

test('auto stays with processes while there are any, and takes an engine afterwards', async () => {
  await lacksOf()
  mkdirSync(join(doors.folder, 'attempts', 'one'))
  install()
  expect(await lacksOf()).toContain('programs run as the user of berth')
  rmSync(join(doors.folder, 'attempts', 'one'), { recursive: true })
  expect(await lacksOf()).not.toContain('programs run as the user of berth')
})

test('auto that found an engine never becomes processes', async () => {
  install()
  await lacksOf()
  rmSync(join(doors.folder, 'bin', 'podman'))
  await expect(lacksOf()).rejects.toThrow('There is no program podman on this host.')
})
