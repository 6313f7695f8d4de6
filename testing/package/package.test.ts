import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { VERSION } from '../../src/api/version.ts'
import { IS_WHOLE } from '../../src/core/base/laws.suite.ts'
import { ROOT } from '../house/files.ts'
import { filesIn, pack, type Packed } from './packed.ts'

// The package as a user gets it: packed, installed in a folder of its own, and the checkout that it came from gone. Packing takes
// a while, so `npm run test:all` alone does it.

interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

describe.runIf(IS_WHOLE)('the package, installed', () => {
  let packed: Packed
  beforeAll(() => {
    packed = pack()
  }, 240_000)
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

  /** `berth` in the folder of the package. */
  function berth(...argv: readonly string[]): Ran {
    const { home, env } = packed
    const { status, stdout, stderr } = spawnSync('berth', argv, { cwd: home, env, encoding: 'utf8', input: '' })
    return { code: status, out: stdout, err: stderr }
  }

  describe('the package', () => {
    test('holds programs, types, schemas, completions and examples, and no sources', () => {
      const files = filesIn(packed.home)
      for (const path of [
        'LICENSE',
        'README.md',
        'bin/berth',
        'deploy/berth.service',
        'dist/berth.mjs',
        'dist/parse-worker.mjs',
        'dist/solver-worker.mjs',
        'dist/up.mjs',
        'dist/completions/berth.bash',
        'examples/llama-70b.yaml',
        'examples/templates/serve.yaml',
        'examples/templates/serve.yaml',
      ]) {
        expect(files).toContain(path)
      }
      expect(files.filter((path) => path.startsWith('src/') || /(?<!\.d)\.ts$|\.blob$|\.tgz$/.test(path))).toEqual([])
      for (const path of files.filter((file) => file.endsWith('.json'))) {
        expect(() => JSON.parse(readFileSync(join(packed.home, path), 'utf8')), path).not.toThrow()
      }
    })

    test('names no folder of the checkout it came from', () => {
      const wrong = filesIn(packed.home).filter((path) => {
        const text = readFileSync(join(packed.home, path), 'utf8')
        return packed.foreign.some((folder) => text.includes(folder))
      })
      expect(wrong).toEqual([])
    })

    test('is not private, and asks for nothing at its installation', () => {
      const {
        private: isPrivate,
        scripts,
        engines,
      } = JSON.parse(readFileSync(join(packed.home, 'package.json'), 'utf8'))
      expect(isPrivate).toBeUndefined()
      expect(engines.node).toBe('>=22.19')
      for (const name of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(name)
    })
  })

  describe('the command line', () => {
    test('knows its version, checks a manifest and plans over the example’s offers', () => {
      expect(berth('--version')).toEqual({ code: 0, out: `${VERSION}\n`, err: '' })
      expect(berth('validate', 'examples/llama-70b.yaml')).toMatchObject({ code: 0 })
      const plan = berth('plan', 'examples/llama-70b.yaml', '--config', 'examples/platform/berth.config.yaml')
      expect(plan.code, plan.err).toBe(0)
      expect(plan.out).toContain('llama-70b: 2 of 2 replicas have a place')
    })

    test('finds its examples wherever it is started', () => {
      const { status, stdout } = spawnSync('berth', ['demo'], { cwd: '/', env: packed.env, encoding: 'utf8' })
      expect(status).toBe(0)
      expect(stdout).toContain('3 of 3')
    })

    test('has the solver with it', () => {
      const flags = ['--config', 'examples/own-fleet/berth.config.yaml', '--optimal', '-o', 'json']
      const { code, out, err } = berth('plan', 'examples/own-fleet/qwen.yaml', ...flags)
      expect({ code, err }).toEqual({ code: 0, err: '' })
      expect(JSON.parse(out)).toMatchObject({ exact: { proven: true, replicas: { placed: 3, wanted: 3 } } })
    })

    test('says which Node it needs where there is none or an old one', () => {
      const folder = join(packed.folder, 'old')
      mkdirSync(folder)
      writeFileSync(join(folder, 'node'), '#!/bin/sh\n[ "$1" = --version ] && echo v20.1.0\nexit 1\n', { mode: 0o755 })
      const run = (path: string) =>
        spawnSync('/bin/sh', [join(packed.home, 'bin/berth'), '--version'], {
          env: { PATH: path },
          encoding: 'utf8',
        })
      expect(run(`${folder}:/usr/bin:/bin`)).toMatchObject({
        status: 69,
        stderr: 'berth: this Node is v20.1.0, and 22.19 or newer is needed. Install Node 22.19 or newer.\n',
      })
    })
  })

  describe('the thread that large manifests are read in', () => {
    test('starts from its bundle', async () => {
      const worker = new Worker(join(packed.home, 'dist/parse-worker.mjs'))
      const text = readFileSync(join(packed.home, 'examples/llama-70b.yaml'), 'utf8')
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage({ id: 1, text, file: 'llama-70b.yaml' })
      const [answer] = await once(worker, 'message')
      await worker.terminate()
      expect(answer).toMatchObject({ id: 1, manifest: { name: 'llama-70b' } })
    })
  })

  describe('the control plane', () => {
    let plane: ChildProcess
    let url = ''
    beforeAll(async () => {
      const words = ['up', '--data', join(packed.folder, 'data'), '--listen', '127.0.0.1:0', '--log', 'json']
      const config = ['--config', 'examples/keep/berth.config.yaml']
      const stdio = ['ignore', 'pipe', 'ignore'] as const
      plane = spawn('berth', [...words, ...config], { cwd: packed.home, env: packed.env, stdio: [...stdio] })
      if (plane.stdout === null) throw new Error('what it prints comes through a pipe')
      for await (const line of createInterface({ input: plane.stdout })) {
        url = /^berth is up at (\S+)/.exec(line)?.[1] ?? ''
        if (url !== '') break
      }
      plane.stdout.resume()
    }, 60_000)
    afterAll(() => plane.kill('SIGKILL'))

    const manifest = `berth: v1
kind: service
name: sleeper
image: none
command: [sleep, "3600"]
resources: { cpu: 0.1, memory: 16Mi }
policy: at-home
`

    test('runs a process, shows it, answers the library, and stops it', { timeout: 120_000 }, () => {
      expect(url).toMatch(/^http:/)
      writeFileSync(join(packed.folder, 'sleeper.yaml'), manifest)
      const applied = berth('apply', join(packed.folder, 'sleeper.yaml'), '--yes')
      expect(applied.code, applied.out + applied.err).toBe(0)
      expect(JSON.parse(berth('ps', '-o', 'json').out)).toMatchObject([{ name: 'sleeper' }])
      expect(library(url)).toEqual({ version: VERSION, names: ['sleeper'], read: 'sleeper', problem: 'KEY_UNKNOWN' })
      expect(berth('rm', 'sleeper', '--yes').code).toBe(0)
    })

    test('ends when it is told to', { timeout: 60_000 }, async () => {
      const ended = once(plane, 'exit')
      plane.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    })

    /** What another program gets from `import … from 'berth'`. */
    function library(at: string): unknown {
      const program = `
      import { connect, readManifest, UserError, VERSION } from 'berth'
      const token = process.argv[1]
      const { items } = await connect({ url: ${JSON.stringify(at)}, token }).workloads({ project: 'default' })
      const text = ${JSON.stringify(manifest)}
      let problem
      try {
        readManifest(text + 'nonsense: 1')
      } catch (error) {
        problem = error instanceof UserError ? error.problems[0].code : String(error)
      }
      const names = items.map(({ name }) => name)
      console.log(JSON.stringify({ version: VERSION, names, read: readManifest(text).name, problem }))`
      const token = readFileSync(join(packed.folder, 'data/admin.token'), 'utf8').trim()
      const argv = ['--input-type=module', '--eval', program, token]
      const ran = spawnSync('node', argv, { cwd: packed.folder, env: packed.env, encoding: 'utf8' })
      expect(ran.stderr).toBe('')
      return JSON.parse(ran.stdout)
    }
  })

  test('its types hold for a program that uses it', () => {
    const folder = join(packed.folder, 'user')
    mkdirSync(folder)
    writeFileSync(
      join(folder, 'user.mts'),
      `import { connect, readManifest, type Berth, type Manifest } from 'berth'
const manifest: Manifest = readManifest('berth: v1')
export const name: string = manifest.name
export const berth: Berth = connect({ url: 'http://127.0.0.1:7700', token: 't' })
export const gpus: number | undefined = manifest.resources.gpu?.count
`,
    )
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node']
    const roots = ['--typeRoots', join(ROOT, 'node_modules/@types')]
    const ran = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), [...flags, ...roots, 'user.mts'], {
      cwd: folder,
      encoding: 'utf8',
    })
    expect(ran.stdout).toBe('')
    expect(ran.status).toBe(0)
  })

  const isThere = existsSync(join(ROOT, 'node_modules/.bin/publint'))
  if (!isThere) test.skip('needs publint: run npm ci to have the package linted')
  test.skipIf(!isThere)('publint finds nothing in it', () => {
    const env = { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env['PATH']}` }
    const ran = spawnSync('publint', ['run', packed.home, '--strict'], { encoding: 'utf8', env })
    expect(ran.status, ran.stdout + ran.stderr).toBe(0)
  })
})
