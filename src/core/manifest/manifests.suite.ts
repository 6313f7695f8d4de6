import { readYaml } from '../../formats/yaml/yaml.ts'
import type { Problem } from '../base/problem.ts'
import type { Manifest } from './manifest.ts'
import { parseManifest } from './parse.ts'
import type { ParsedManifest } from './parse.ts'

/** The four lines every manifest starts with; it only lacks resources. */
export const BASE = 'berth: v1\nkind: service\nname: demo\nimage: acme/app:1\n'
export const CPU = 'resources: { cpu: 2 }\n'

/** Parses a text that must be YAML, whatever else is wrong with it. */
export function parse(text: string, extraChecks?: () => readonly Problem[]): ParsedManifest {
  const read = readYaml(text, 'demo.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return extraChecks === undefined ? parseManifest(read.document) : parseManifest(read.document, extraChecks)
}

/** Parses a text that must be a manifest. */
export function manifestOf(text: string): Manifest {
  const parsed = parse(text)
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems, null, 1))
  return parsed.manifest
}

/** The problems of a text as `CODE line:column`. */
export function codesIn(text: string): readonly string[] {
  const parsed = parse(text)
  return 'problems' in parsed ? parsed.problems.map(({ code, place }) => `${code} ${place?.line}:${place?.column}`) : []
}
