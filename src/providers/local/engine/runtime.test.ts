import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InstanceRef, Provider, ProviderDeps } from '../../../ports/provider.ts'
import { call, freshTag, launchCall, within, yes } from '../../contract/bench.suite.ts'
import { openLocal, realDeps, sampleOrder } from '../bench.suite.ts'
import { claimOf, writeNote } from '../note.ts'

/**
 * Stands for podman where there is none: it shows containers from files, and writes down how it was called. What a real
 * engine does is tried by the contract.
 */
const ENGINE = `#!/bin/sh
here=$(dirname "$0")
echo "$*" >> "$here/calls"
while :; do
  case $1 in
    ps) for file in "$here"/c/*; do [ ! -e "$file" ] || basename "$file"; done; exit ;;
    inspect)
      shift 3
      cat "$here/c/$1" 2> /dev/null || { echo "Error: no such container $1" >&2; exit 1; }
      exit ;;
    rm) for name; do :; done; rm -f "$here/c/$name"; exit ;;
    run)
      env > "$here/env"
      while [ $# -gt 0 ]; do [ "$1" != --env-file ] || cat "$2" > "$here/file"; shift; done
      exit ;;
    stop) exit ;;
    *) shift ;;
  esac
done
`

let provider: Provider
let deps: ProviderDeps
let passedMs = 0
const path = process.env['PATH']

beforeEach(async () => {
  const real = realDeps()
  passedMs = 0
  deps = { ...real, clock: { ...real.clock, tickMs: () => real.clock.tickMs() + passedMs } }
  mkdirSync(join(deps.folder, 'bin', 'c'), { recursive: true })
  writeFileSync(join(deps.folder, 'bin', 'podman'), ENGINE)
  chmodSync(join(deps.folder, 'bin', 'podman'), 0o755)
  process.env['PATH'] = `${join(deps.folder, 'bin')}:${path}`
  provider = await openLocal({ runtime: 'podman', gpus: [], run_flags: ['--quiet'] }, deps)
})

afterEach(async () => {
  await provider.close?.()
  process.env['PATH'] = path
  rmSync(deps.folder, { recursive: true, force: true })
})

function at(...names: readonly string[]): string {
  return join(deps.folder, 'bin', ...names)
}

function container(status: string, label?: string): InstanceRef {
  const order = { ...sampleOrder({ kind: 'long' }, 'image'), tag: freshTag() }
  const note = label ?? writeNote({ tag: order.tag, ports: [], claim: claimOf(order, []) })
  const entry = { State: { Status: status }, Config: { Labels: { 'berth.note': note } } }
  writeFileSync(at('c', `berth-${order.tag.attempt}`), JSON.stringify([entry]))
  return { tag: order.tag, instance: undefined }
}

test('secrets reach the engine in a file that is gone afterwards; those of several lines by its environment', async () => {
  const order = { ...sampleOrder({ kind: 'long' }, 'image'), tag: freshTag(), secrets: ['TOKEN', 'PEM'] }
  yes(await provider.launch(order, launchCall({ TOKEN: 'canary # "x" ', PEM: 'two\nlines' })))
  expect(readFileSync(at('file'), 'utf8')).toBe('TOKEN=canary # "x" \n')
  expect(readFileSync(at('env'), 'utf8')).not.toContain('canary')
  expect(readFileSync(at('env'), 'utf8')).toContain('PEM=two\nlines')
  expect(readFileSync(at('calls'), 'utf8')).not.toContain('canary')
  expect(readdirSync(join(deps.folder, 'secrets'))).toEqual([])
})

test('what is too large for one command is refused, not forgotten', async () => {
  const env = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`V${index}`, 'x'.repeat(60_000)]))
  const order = { ...sampleOrder({ kind: 'long' }, 'image'), tag: freshTag(), env }
  expect(await provider.launch(order, launchCall())).toMatchObject({
    ok: false,
    fault: { class: 'BAD_REQUEST', message: expect.stringContaining('too large') },
  })
})

test('a container that was made and not started does not stay so', async () => {
  const ref = container('created')
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  passedMs += 10_000
  expect(yes(await provider.describe(ref, call()))).toMatchObject({ state: 'starting' })
  passedMs += 10_000
  const { instances } = yes(await provider.list(ref.tag.owner, call()))
  expect(instances).toMatchObject([{ state: 'ended', exit: { kind: 'start' } }])
  expect(yes(await provider.describe(ref, call()))).toEqual({ state: 'absent' })
  expect(existsSync(join(deps.folder, 'past', ref.tag.attempt))).toBe(true)
})

test('a container whose note cannot be read is not gone until the engine knows it no more', async () => {
  const ref = container('running', '{"version":1,')
  await expect(provider.describe(ref, call())).rejects.toThrow('cannot be read')
  expect(yes(await provider.list(ref.tag.owner, call()))).toEqual({ instances: [], complete: false })
  expect(yes(await provider.stop(ref, call()))).toEqual({ gone: false })
  await within({ pass: async () => undefined }, async () => yes(await provider.stop(ref, call())).gone)
  expect(readFileSync(at('calls'), 'utf8')).toMatch(/stop --time 10 berth-/)
  expect(yes(await provider.list(ref.tag.owner, call())).complete).toBe(true)
})
