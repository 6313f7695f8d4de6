import { resolveGpu } from '../../core/hardware/resolve.ts'

/**
 * The models that will do, from names with `|` between them. A name stands for itself, because owners have words of
 * their own for their cards, and for every card of the hardware table that goes by it. Undefined: any will do.
 */
export function acceptedModels(text: string): readonly string[] | undefined {
  const names = text
    .split('|')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) return undefined
  return [...new Set(names.flatMap(modelsNamed))].sort()
}

function modelsNamed(name: string): readonly string[] {
  const found = resolveGpu(name)
  switch (found.kind) {
    case 'gpu':
      return [name, found.gpu.id]
    case 'ambiguous':
      return [name, ...found.candidates.flatMap((gpu) => [gpu.id, gpu.family])]
    case 'unknown':
      return [name]
  }
}
