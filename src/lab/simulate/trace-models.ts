import { resolveGpu } from '../../core/hardware/resolve.ts'

/**
 * The accepted models, from names separated by `|`. A name stands for itself, because owners have their own names for cards,
 * and for every card of the hardware table with that name. Undefined: any model.
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
