import { printYaml } from './print.ts'
import { randomOf } from './random.ts'
import type { Random } from './random.ts'
import { validManifest } from './valid.ts'
import type { Data } from './valid.ts'

/** One input for the manifest parser, and what it was made to be. */
export interface FuzzCase {
  readonly kind: string
  readonly input: string | Uint8Array
}

const KB = 1024

/** How often each kind comes, in a thousand. */
const KINDS: readonly (readonly [weight: number, kind: string, make: (random: Random) => string | Uint8Array])[] = [
  [233, 'valid', (random) => printYaml(validManifest(random), random)],
  [300, 'edited text', (random) => edited(printYaml(validManifest(random), random), random)],
  [250, 'odd values', (random) => printYaml(odd(validManifest(random), random, 0), random)],
  [60, 'JSON', (random) => edited(JSON.stringify(odd(validManifest(random), random, 0), null, random.int(3)), random)],
  [40, 'signs', (random) => soup(random, 1 + random.int(400))],
  [40, 'bytes', (random) => Uint8Array.from({ length: random.int(400) }, () => random.int(256))],
  [25, 'bad UTF-8', badUtf8],
  [20, 'nesting', nesting],
  [15, 'alias bomb', aliasBomb],
  [15, 'numbers', numbers],
  [2, 'large', large],
]

/** The same seed always makes the same case. */
export function fuzzCase(seed: number): FuzzCase {
  const random = randomOf(seed)
  let left = random.int(1000)
  for (const [weight, kind, make] of KINDS) {
    if (left < weight) return { kind, input: make(random) }
    left -= weight
  }
  return { kind: 'empty', input: '' }
}

const SIGNS = [
  ': ',
  '- ',
  '\n',
  '  ',
  '{',
  '}',
  '[',
  ']',
  ',',
  '"',
  "'",
  '#',
  '|\n',
  '>\n',
  '?',
  '&a',
  '*a',
  '!!str',
  '%',
  '@',
  '\t',
  'a',
  '1',
  '---\n',
  '<<',
  '\\',
  '\r\n',
  '~',
  '\u0000',
  '\ufeff',
  '\u2028',
  '😀',
] as const
const ODD: readonly [Data, ...Data[]] = [
  null,
  '',
  0,
  -1,
  1.5,
  1e308,
  '1e400',
  '99999999999999999999',
  true,
  false,
  [],
  {},
  [[]],
  [{}],
  'x'.repeat(300),
  '__proto__',
  'constructor',
  'NaN',
  '.inf',
  '-.inf',
  '.nan',
  '0x7fffffffffffffff',
  'v1',
  '80G',
  '-5Gi',
  '\u001b[31m',
  '\u202e',
  { __proto__x: 1 },
]
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  'region',
  'gpu',
  'min_vram',
  'nodeSelector',
  'instance_type',
  'a.b/c',
  '<<',
  'name',
  '0',
  '\u001b[31m',
  '\u202e',
  'k'.repeat(400),
] as const

/** Some of the text removed, repeated, moved or replaced. */
function edited(text: string, random: Random): string {
  let result = text
  for (let edits = 1 + random.int(4); edits > 0; edits--) {
    const at = random.int(result.length + 1)
    const to = Math.min(result.length, at + random.int(12))
    const into = random.pick([
      '',
      random.pick(SIGNS),
      result.slice(at, to).repeat(2),
      random.pick(SIGNS) + random.pick(SIGNS),
    ])
    result = result.slice(0, at) + into + result.slice(to)
  }
  return random.chance(0.3) ? movedLines(result, random) : result
}

function movedLines(text: string, random: Random): string {
  const lines = text.split('\n')
  const [line = ''] = lines.splice(random.int(lines.length), 1)
  const moved = random.pick([line, ` ${line}`, line.trimStart(), `\t${line}`, `${line}\n${line}`])
  lines.splice(random.int(lines.length + 1), 0, moved)
  return lines.join(random.chance(0.1) ? '\r\n' : '\n')
}

/** The same shape with a few values and keys that do not belong. */
function odd(data: Data, random: Random, depth: number): Data {
  if (random.chance(0.03)) return random.pick(ODD)
  if (typeof data !== 'object' || data === null) return data
  if (Array.isArray(data)) return data.map((item) => odd(item, random, depth + 1))
  const entries: [string, Data][] = Object.entries(data).map(([key, value]) => [
    oddKey(key, random),
    odd(value, random, depth + 1),
  ])
  if (random.chance(0.1)) entries.push([random.pick(ODD_KEYS), random.pick(ODD)])
  return Object.fromEntries(entries)
}

function oddKey(key: string, random: Random): string {
  if (!random.chance(0.02)) return key
  const at = random.int(key.length + 1)
  return (
    key.slice(0, at) +
    random.pick(['', 'x', '_', key.slice(at, at + 1), '\u001b', 'y'.repeat(400)]) +
    key.slice(at + random.int(2))
  )
}

function soup(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(SIGNS)).join('')
}

function badUtf8(random: Random): Uint8Array {
  const bytes = new TextEncoder().encode(printYaml(validManifest(random), random))
  for (let times = 1 + random.int(3); times > 0; times--) bytes[random.int(bytes.length)] = 128 + random.int(128)
  return bytes
}

function nesting(random: Random): string {
  const depth = random.pick([30, 31, 32, 33, 34, 100, 5000])
  const open = random.pick(['[', '{a: ', '- ', '? ', '[{a: ', '[a: [', '{"a":', '[\n'])
  if (random.chance(0.4)) return `x: ${open.repeat(depth)}`
  if (random.chance(0.5))
    return Array.from({ length: Math.min(depth, 300) }, (_, level) => `${' '.repeat(level)}a:`).join('\n')
  return `x: ${'['.repeat(depth)}${']'.repeat(depth)}`
}

function aliasBomb(random: Random): string {
  const first = 'a0: &a0 [x, x, x, x, x, x, x, x, x]\n'
  const levels = Array.from(
    { length: 2 + random.int(10) },
    (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(9)}]\n`,
  )
  return random.chance(0.5)
    ? first + levels.join('')
    : `${printYaml(validManifest(random), random)}\nx: &x {<<: *x, y: *x}\n`
}

function numbers(random: Random): string {
  const number = random.pick([
    '1e400',
    '-1e400',
    '9'.repeat(400),
    `0x${'f'.repeat(300)}`,
    '0o777777777777777777777777',
    '1e-400',
    '.inf',
    '-.nan',
    `0.${'0'.repeat(300)}1`,
    '9007199254740993',
    '-0',
    '1_000',
  ])
  const key = random.pick([
    'replicas',
    'nodes',
    'completions',
    'resources: { cpu',
    'resources: { memory',
    'resources: { gpu: { count',
    'ports: [{ port',
  ])
  const close = key.replaceAll(/[^[{]/g, '').replaceAll('{', '}').replaceAll('[', ']').split('').toReversed().join('')
  return `berth: v1\nkind: job\nname: n\nimage: i\n${key}: ${number}${close}\n`
}

/** Up to the size limit and a little over. */
function large(random: Random): string {
  const size = random.pick([64 * KB, 255 * KB, 256 * KB + 1])
  const unit = random.pick([
    'a: b\n',
    '- x\n',
    '[',
    ',',
    '"',
    '# c\n',
    '\n',
    'x',
    'k: [1, 2]\n',
    ' ',
    'é',
    '{a: 1},',
    ': ',
    '- - ',
    '? ',
  ])
  if (random.chance(0.5)) return unit.repeat(Math.ceil(size / unit.length)).slice(0, size)
  const keys = Array.from({ length: size / 16 }, (_, index) => `  KEY_${index}: value`).join('\n')
  return `${printYaml(validManifest(random), random)}\nextra:\n${keys}`.slice(0, size)
}
