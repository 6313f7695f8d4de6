import { at, type Rule, type Source } from '../source.ts'

/** The rooms of the house, each of which imports only rooms above it; types count as much as values. */
export const ROOMS: readonly string[] = [
  'core/base',
  'core/document',
  'core/hardware',
  'core/fleet',
  'core/offer',
  'core/requirement',
  'core/manifest',
  'core/template',
  'core/policy',
  'core/pack',
  'core/place',
  'core/event',
  'core/life',
  'core/route',
  'codes',
  'api',
  'ports',
  'lab',
  'formats',
  'catalogues',
  'vault',
  'solver',
  'store',
  'providers',
  'service',
  'controller',
  'client',
  'cli',
  'server',
  'gateway',
  'up',
  'entry',
]

/** `core/base` for src/core/base/…, `store` for src/store/…, and the name of the file for one directly in src. */
export function roomOf(path: string): string {
  const [, first = '', second = ''] = path.split('/')
  return first === 'core' ? `core/${second}` : first
}

/** Shipped code imports its own room and rooms above it. */
export function roomOrder(rooms: readonly string[]): Rule {
  return (sources) =>
    sources
      .filter((source) => source.isShipped)
      .flatMap((source) =>
        source.imports
          .filter(
            ({ target }) => target !== undefined && rooms.indexOf(roomOf(source.path)) < rooms.indexOf(roomOf(target)),
          )
          .map(({ target, line }) => at(source, line, `imports ${target}, a room further down`)),
      )
}

/** Every folder of `src` has its place in the order. */
export function knownRooms(rooms: readonly string[]): Rule {
  return (sources) => {
    const inSrc = sources.filter(({ path }) => path.startsWith('src/')).map(({ path }) => roomOf(path))
    return [...new Set(inSrc)]
      .filter((room) => !rooms.includes(room))
      .map((room) => `src/${room} is no room of the order`)
  }
}

/** No walk along imports, whether of values or of types, leads back to the file or to the room where it began. */
export const noCycles: Rule = (sources) => {
  const files = new Map(sources.map((source) => [source.path, targetsOf(source)]))
  const rooms = new Map<string, Set<string>>()
  for (const source of sources.filter(({ isShipped }) => isShipped)) {
    const room = roomOf(source.path)
    const others = rooms.get(room) ?? new Set<string>()
    for (const target of targetsOf(source)) if (roomOf(target) !== room) others.add(roomOf(target))
    rooms.set(room, others)
  }
  return [...circlesIn(files), ...circlesIn(rooms)].map((circle) => `${circle.join(' → ')} goes round`)
}

function targetsOf(source: Source): readonly string[] {
  return source.imports.flatMap(({ target }) => (target === undefined ? [] : [target]))
}

type Graph = ReadonlyMap<string, Iterable<string>>

/** For each way back that a walk from top to bottom meets: the names along it, the first of them again at the end. */
function circlesIn(graph: Graph): readonly (readonly string[])[] {
  const circles: (readonly string[])[] = []
  const done = new Set<string>()
  const path: string[] = []
  const walk = (name: string): void => {
    const start = path.indexOf(name)
    if (start >= 0) circles.push([...path.slice(start), name])
    if (start >= 0 || done.has(name)) return
    path.push(name)
    for (const next of graph.get(name) ?? []) walk(next)
    path.pop()
    done.add(name)
  }
  for (const name of graph.keys()) walk(name)
  return circles
}
