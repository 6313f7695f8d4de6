import { ERRORS } from '../../src/codes/errors.ts'
import { parseManifest } from '../../src/core/manifest/parse.ts'
import type { Problem } from '../../src/core/base/problem.ts'
import { readYaml } from '../../src/formats/yaml/yaml.ts'

/** What became of an input; `fault` says what must never happen. */
export interface Verdict {
  readonly outcome: 'manifest' | 'problems'
  readonly fault: string | undefined
}

/** Reads and parses one input and looks at the answer as a user would. */
export function judge(input: string | Uint8Array): Verdict {
  try {
    const read = readYaml(input, 'fuzz.yaml')
    const parsed = 'document' in read ? parseManifest(read.document) : read
    if ('manifest' in parsed) return { outcome: 'manifest', fault: manifestFault(parsed.manifest) }
    const text = typeof input === 'string' ? input : new TextDecoder().decode(input)
    return { outcome: 'problems', fault: problemsFault(parsed.problems, text.split('\n').length) }
  } catch (error) {
    return { outcome: 'problems', fault: `threw ${error instanceof Error ? error.stack : String(error)}` }
  }
}

function manifestFault(value: unknown): string | undefined {
  if (Object.hasOwn(Object.prototype, 'polluted')) return 'Object.prototype was changed'
  if (typeof value === 'number' && !(Number.isFinite(value) && value >= 0)) return `the manifest holds ${value}`
  if (typeof value !== 'object' || value === null) return undefined
  for (const inner of Object.values(value)) {
    const fault = manifestFault(inner)
    if (fault !== undefined) return fault
  }
  return undefined
}

function problemsFault(problems: readonly Problem[], lines: number): string | undefined {
  if (problems.length === 0) return 'neither a manifest nor a problem'
  if (problems.length > 101) return `${problems.length} problems`
  for (const problem of problems) {
    const fault = problemFault(problem, lines)
    if (fault !== undefined) return `${fault}: ${JSON.stringify(problem)}`
  }
  return undefined
}

function problemFault({ code, message, hint, found, place }: Problem, lines: number): string | undefined {
  if (!Object.hasOwn(ERRORS, code)) return 'unknown code'
  if (place === undefined) return 'no place'
  const isPlace = place.line >= 1 && place.line <= lines && place.column >= 1 && place.length >= 1
  if (!isPlace) return 'a place outside the file'
  const text = `${message}\n${hint ?? ''}\n${found ?? ''}`
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text)) return 'a control character in the text'
  if (/undefined|\[object/.test(`${message}${hint ?? ''}`)) return 'a value that leaked into the text'
  return message === '' || text.length > 3000 ? 'an empty or endless text' : undefined
}
