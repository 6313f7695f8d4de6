import { at, referencesOf, type NodeOf, type Rule, type Source } from '../source.ts'

/** Names that stand for the world outside, and what they bring in. */
const WORLD: Readonly<Record<string, string>> = {
  performance: 'the time',
  crypto: 'chance',
  setTimeout: 'timers',
  setInterval: 'timers',
  setImmediate: 'timers',
  queueMicrotask: 'timers',
  process: 'the process',
  globalThis: 'the process',
  require: 'the process',
  console: 'output',
  fetch: 'the network',
  Promise: 'waiting',
  Intl: 'the language of the machine',
}

/** Providers that core must not know by name. */
const PROVIDERS =
  /\b(azure|gcp|runpod|nebius|coreweave|lambdalabs|paperspace|hyperstack|fluidstack|shadeform|vast\.ai|ovhcloud|scaleway|primeintellect)\b/i
/** The tables of hardware and of what couples a manifest to a provider. */
const TABLES = /^src\/core\/(hardware\/|manifest\/coupling)/

/** Where the step of the controller stands. */
const STEP = 'src/controller/step/'

/** What core answers depends on what it is given alone. */
export const pureCore: Rule = (sources) => sources.filter(isCore).flatMap(usesOf)

/** So does what the controller decides: the step, and everything of the controller that it imports, need nothing but core and ports. */
export const pureStep: Rule = (sources) => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  const found = sources.filter(({ path, isShipped }) => isShipped && path.startsWith(STEP))
  const known = new Set(found)
  // More are added while it is walked.
  for (const source of found) {
    for (const { target = '' } of source.imports) {
      const next = target.startsWith('src/controller/') ? byPath.get(target) : undefined
      if (next === undefined || known.has(next)) continue
      known.add(next)
      found.push(next)
    }
  }
  const isNear = (target: string | undefined): boolean => /^src\/(core|ports|controller)\//.test(target ?? '')
  return found.flatMap((source) => [
    ...usesOf(source),
    ...source.imports
      .filter(({ target }) => !isNear(target))
      .map(({ line, written }) => at(source, line, `imports ${written}`)),
  ])
}

/** Core names no provider outside its tables. */
export const noProviderInCore: Rule = (sources) =>
  sources
    .filter((source) => isCore(source) && !TABLES.test(source.path))
    .flatMap((source) =>
      source.lines.flatMap((line, index) => (PROVIDERS.test(line) ? [at(source, index + 1, line.trim())] : [])),
    )

type Use = readonly [offset: number, what: string]

function isCore(source: Source): boolean {
  return source.isShipped && source.path.startsWith('src/core/')
}

function usesOf(source: Source): readonly string[] {
  return [...worldOf(source), ...membersOf(source), ...clocksOf(source), ...waitingOf(source)].map(([offset, what]) =>
    at(source, source.lineAt(offset), `uses ${what}`),
  )
}

function worldOf(source: Source): readonly Use[] {
  const names = referencesOf(source).filter(({ name }) => Object.hasOwn(WORLD, name))
  return names.map(({ name, start }) => [start, WORLD[name] ?? name])
}

function membersOf(source: Source): readonly Use[] {
  return source.nodes('MemberExpression').flatMap((node): readonly Use[] => {
    const member = node.computed || node.property.type !== 'Identifier' ? '' : node.property.name
    const object = node.object.type === 'Identifier' ? node.object.name : ''
    if (object === 'Date' && member === 'now') return [[node.start, 'the time']]
    if (object === 'Math' && member === 'random') return [[node.start, 'chance']]
    const isLocal = member.startsWith('toLocale') || member === 'localeCompare'
    return isLocal ? [[node.start, 'the language of the machine']] : []
  })
}

/** Date.parse(text) and new Date(ms) are functions of what they are given; only asking for the time is not. */
function clocksOf(source: Source): readonly Use[] {
  const isNow = ({ callee, arguments: given }: NodeOf<'NewExpression'>): boolean =>
    callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0
  return source
    .nodes('NewExpression')
    .filter(isNow)
    .map(({ start }) => [start, 'the time'])
}

function waitingOf(source: Source): readonly Use[] {
  const functions = source.nodes('FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression')
  const waiting = functions.filter((node) => node.async)
  return [...waiting, ...source.nodes('AwaitExpression')].map(({ start }) => [start, 'waiting'])
}
