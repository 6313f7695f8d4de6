import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { cases } from '../../../core/base/laws.suite.ts'
import type { Order } from '../../../core/life/call/order.ts'
import { freshTag } from '../../contract/bench.suite.ts'
import { sampleOrder } from '../../sim/bench.suite.ts'
import { noteOf } from '../note.ts'
import { cloudInit, startScript } from './cloud-init.ts'
import { vmPlan, workOf } from './plan.ts'

const HOSTILE = [
  'a b',
  "it's",
  '"double"',
  '$(touch /tmp/owned)',
  '`id`',
  '${HOME}',
  'two\nlines\r\n',
  '\t',
  '\\',
  "'; rm -rf / #",
  'END',
  '--privileged',
  '{{ .Names }}',
  '%s%n',
  'ünïcödé 💥',
  '# cloud-config',
  ': - & * ! |',
  '',
]

const text = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary', maxLength: 200 }).map((each) => each.replaceAll('\0', '')),
)

const order = fc.record({
  env: fc.dictionary(fc.stringMatching(/^[A-Za-z_]\w{0,20}$/), text),
  command: fc.array(text, { maxLength: 4 }),
  args: fc.array(text, { maxLength: 6 }),
})

function startOf(change: Partial<Order>) {
  const made: Order = { ...sampleOrder({ kind: 'long' }), tag: freshTag(), ...change }
  return { order: made, note: noteOf(made), env: made.env }
}

test('cloud-init says what the order says, byte for byte, whatever is in it', () => {
  fc.assert(
    fc.property(order, (change) => {
      const start = startOf(change)
      const written = cloudInit(vmPlan(start, { status: 1 }))
      expect(written.startsWith('#cloud-config\n')).toBe(true)
      const { write_files: files, runcmd } = parse(written)
      const file = files.find(({ path }: { path: string }) => path.endsWith('work.json'))
      const { create } = JSON.parse(Buffer.from(file.content, 'base64').toString('utf8'))
      const pairs = Object.entries(change.env).map(([name, value]) => `${name}=${value}`)
      const wellFormed = (all: readonly string[]): readonly string[] => all.map((each) => each.toWellFormed())
      expect(wellFormed(create.Env)).toEqual(wellFormed(pairs))
      expect(wellFormed(create.Cmd ?? [])).toEqual(wellFormed(change.args))
      expect(wellFormed(create.Entrypoint ?? [])).toEqual(wellFormed(change.command))
      // The commands are the same whatever is ordered.
      expect(runcmd).toEqual(parse(cloudInit(vmPlan(startOf({}), { status: 1 }))).runcmd)
    }),
    cases(2_000),
  )
})

test('the script writes the same files, and no shell makes anything of what is in them', () => {
  const folder = mkdtempSync(join(tmpdir(), 'berth-script-'))
  try {
    const env = Object.fromEntries(HOSTILE.map((value, index) => [`V${index}`, value]))
    const { files } = vmPlan(startOf({ env, command: HOSTILE, args: HOSTILE }), { status: 1 })
    const moved = files.map((file) => ({ ...file, path: join(folder, file.path) }))
    execFileSync('/bin/bash', ['-c', startScript({ files: moved, commands: [] })], { cwd: folder })
    for (const { path, content } of moved) expect(readFileSync(path, 'utf8')).toBe(content)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.each([
  ['ubuntu', { fromImage: 'ubuntu', tag: 'latest' }],
  ['ghcr.io:443/a/b', { fromImage: 'ghcr.io:443/a/b', tag: 'latest' }],
  ['ghcr.io/a/b:1', { fromImage: 'ghcr.io/a/b:1' }],
  ['a/b@sha256:00', { fromImage: 'a/b@sha256:00' }],
])('of %s one image is fetched', (image, pull) => {
  expect(workOf(startOf({ image }), 0).pull).toEqual(pull)
})

test('cards, ports and shared memory are asked for in the words of docker', () => {
  const ports = [{ name: 'http', port: 8000, health: '/', expose: 'public' as const }]
  expect(workOf(startOf({ gpus: 2, ports, shmGib: 0.5 }), 0).create).toMatchObject({
    ExposedPorts: { '8000/tcp': {} },
    HostConfig: {
      PortBindings: { '8000/tcp': [{ HostPort: '8000' }] },
      ShmSize: 2 ** 29,
      DeviceRequests: [{ Count: -1, Capabilities: [['gpu']] }],
    },
  })
})
