import type { DocNode } from '../../core/document/document.ts'
import type { Problem } from '../../core/base/problem.ts'
import { readYaml } from './yaml.ts'

/** The root of a text that must be readable. */
export function rootOf(text: string | Uint8Array): DocNode {
  const read = readYaml(text, 'f.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.document.root
}

/** What is wrong with a text, without the lines. */
export function problemsOf(text: string | Uint8Array): readonly Problem[] {
  const read = readYaml(text, 'f.yaml')
  return 'problems' in read ? read.problems.map((problem) => ({ ...problem, sourceLine: undefined })) : []
}
