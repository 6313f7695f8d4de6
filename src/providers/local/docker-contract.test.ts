import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { setTimeout as pause } from 'node:timers/promises'
import { within } from '../contract/bench.suite.ts'
import { providerContract } from '../contract/contract.suite.ts'
import { buildImage, lackFor, localBench, storeFlags } from './bench.suite.ts'
import { IS_WHOLE } from '../../core/base/laws.suite.ts'

// The real command of docker, in front of podman's service, which speaks docker's language.
const lack = IS_WHOLE ? lackFor(['docker', 'podman', 'runc', 'conmon']) : 'engines are tried by npm run test:all'
if (lack !== undefined) test.skip(lack, () => undefined)

describe.skipIf(lack !== undefined)('local with docker', () => {
  const store = mkdtempSync(join(tmpdir(), 'berth-docker-'))
  const socket = join(store, 'engine.sock')
  const flags = storeFlags(store)
  const podman = (...args: readonly string[]): void => {
    execFileSync('podman', [...flags, ...args], { stdio: 'ignore' })
  }
  let service: ReturnType<typeof spawn> | undefined

  beforeAll(async () => {
    buildImage(store, flags)
    service = spawn('podman', [...flags, 'system', 'service', '--time', '0', `unix://${socket}`], { stdio: 'ignore' })
    await within({ pass: (ms) => pause(ms) }, async () => existsSync(socket))
  })
  afterAll(async () => {
    podman('rm', '--all', '--force', '--time', '0')
    // It writes to the store until its very end.
    const ended = new Promise((resolve) => service?.once('exit', resolve))
    service?.kill('SIGTERM')
    await ended
    rmSync(store, { recursive: true, force: true })
  })

  const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024']
  const settings = { runtime: 'docker', gpus: [], engine_flags: ['--host', `unix://${socket}`], run_flags: limits }
  providerContract('docker', () => localBench(settings, async () => podman('rm', '--all', '--force', '--time', '0')))
})
