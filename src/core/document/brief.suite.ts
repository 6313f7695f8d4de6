import type * as z from 'zod'
import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import { checkDocument } from './check.ts'
import type { SourceDocument } from './document.ts'

/** A document for tests; anything that is not YAML is a mistake in the test. */
export function documentOf(text: string): SourceDocument {
  const read = readYaml(text, 'f.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.document
}

/** A problem on one line: `CODE line:column+length [found] message | hint`. */
function brief({ code, place, found, message, hint }: Problem): string {
  const where = `${place?.line}:${place?.column}+${place?.length}`
  return `${code} ${where} [${found ?? ''}] ${message}${hint === undefined ? '' : ` | ${hint}`}`
}

/** What is wrong with a text under a schema, briefly. */
export function problemsIn(schema: z.ZodType, text: string): readonly string[] {
  const checked = checkDocument(schema, documentOf(text))
  return 'problems' in checked ? checked.problems.map(brief) : []
}
