import type { Problem } from '../base/problem.ts'
import type { Path } from './document.ts'
import { entryAt, keyMarkAt, placeOf, printable } from './look-up.ts'
import { nearest } from './nearest.ts'
import { candidatesOf, homesOf, keysOf, stepInto } from './schema-walk.ts'
import type { KeyFinding, DocumentSpot } from './spot.ts'
import { exampleHint } from './values.ts'

/** Only this many unknown keys get a suggestion: each takes time, and a hostile file may have a hundred thousand. */
const SUGGESTIONS_MAX = 100

/** Unknown keys: misspelt, misplaced or invented. */
export function unknownKeys(keys: readonly string[], spot: DocumentSpot): readonly KeyFinding[] {
  const here = keysOf(spot.candidates)
  const homes = homesOf(spot.schema)
  return keys.map((key, index) =>
    index < SUGGESTIONS_MAX ? unknownKey(key, { spot, here, homes }) : { problem: bareUnknown(key, spot) },
  )
}

/** A missing required key, reported at the key that should contain it. */
export function missingKey(spot: DocumentSpot): KeyFinding {
  const parent = spot.path.slice(0, -1)
  const key = String(spot.path.at(-1))
  const situation = parent.at(-1)
  const inside = typeof situation === 'string' ? ` in \`${printable(situation)}\`` : ''
  const example = exampleHint(spot)
  const problem: Problem = {
    code: 'KEY_MISSING',
    message: `\`${key}\` is missing${inside}.`,
    ...(example !== undefined && { hint: example }),
    place: placeOf(spot.document, keyMarkAt(spot.document, parent)),
  }
  return { problem, missing: pathText(spot.path) }
}

interface Known {
  readonly spot: DocumentSpot
  /** Keys that are valid here, each with its other common names. */
  readonly here: ReadonlyMap<string, readonly string[]>
  /** Where each key of the whole schema is valid. */
  readonly homes: ReadonlyMap<string, readonly string[]>
}

function unknownKey(key: string, { spot, here, homes }: Known): KeyFinding {
  const bare = bareUnknown(key, spot)
  const meant = namedOtherwise(key, here) ?? nearest(key, [...here.keys()])
  if (meant !== undefined) {
    return { problem: { ...bare, hint: `Did you mean ${meant}?` }, meant: pathText([...spot.path, meant]) }
  }
  const home = homeOf(homes.get(key) ?? [], spot)
  if (home !== undefined) {
    const message = `\`${printable(key)}\` does not belong here.`
    return { problem: { ...bare, code: 'KEY_MISPLACED', message, hint: `It belongs ${home}.` } }
  }
  const near = nearest(key, [...homes.keys()])
  const nearHome = near === undefined ? undefined : homeOf(homes.get(near) ?? [], spot)
  if (nearHome !== undefined) return { problem: { ...bare, hint: `Did you mean ${near}? It belongs ${nearHome}.` } }
  const keys = [...here.keys()]
  return { problem: keys.length === 0 ? bare : { ...bare, hint: `Keys here: ${keys.join(', ')}.` } }
}

function bareUnknown(key: string, spot: DocumentSpot): Problem {
  const mark = entryAt(spot.document, [...spot.path, key])?.keyAt ?? keyMarkAt(spot.document, spot.path)
  const place = placeOf(spot.document, mark)
  return { code: 'KEY_UNKNOWN', message: 'No such key here.', found: printable(key), place }
}

function namedOtherwise(key: string, here: Known['here']): string | undefined {
  for (const [name, others] of here) if (others.includes(key)) return name
  return undefined
}

/** The map that takes the key, in words: one inside the current map if there is one, otherwise the outermost. */
function homeOf(homes: readonly string[], spot: DocumentSpot): string | undefined {
  const inside = schemaPath(spot)
  const near = homes.find((home) => home.startsWith(inside))
  if (near !== undefined && inside !== '') return `under ${dotted(spot.path)}${near.slice(inside.length)}`
  const home = near ?? homes[0]
  if (home === undefined) return undefined
  return home === '' ? 'at the top level' : `under ${home}`
}

/** The spot's path as `homesOf` writes it: `[]` for any item of a list, `NAME` for any name the user chose. */
function schemaPath({ schema, path }: DocumentSpot): string {
  let candidates = candidatesOf(schema)
  const steps: (string | number)[] = []
  for (const step of path) {
    steps.push(candidates.some(({ def }) => def.type === 'record') ? 'NAME' : typeof step === 'number' ? '[]' : step)
    candidates = stepInto(candidates, step)
  }
  return dotted(steps)
}

function dotted(path: Path): string {
  return path
    .map((step) => (typeof step === 'number' ? `[${step}]` : printable(step)))
    .join('.')
    .replaceAll('.[', '[')
}

function pathText(path: Path): string {
  return JSON.stringify(path)
}
