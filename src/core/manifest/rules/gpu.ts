import type { Path, SourceDocument } from '../../document/document.ts'
import { entryAt, nodeAt } from '../../document/look-up.ts'
import { ARCHES, archVendor } from '../../hardware/arch.ts'
import type { Problem } from '../../base/problem.ts'
import { GPU } from '../../requirement/table.ts'
import { problemWith, scopesOf, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

/** A misspelt vendor is left to the schema. */
const KNOWN: readonly string[] = [...Object.values(ARCHES).map(({ vendor }) => vendor), 'any']

/** What the document asks of a GPU, as far as it can be read. */
interface Asked extends Makers {
  readonly document: SourceDocument
  readonly path: Path
}

/** The makers whose cards fit. */
interface Makers {
  /** Makers of everything that was named, vendors and architectures. */
  readonly names: readonly string[]
  /** Undefined when any vendor fits, or when none is stated. */
  readonly vendors: readonly string[] | undefined
  readonly arches: readonly string[]
}

/** Requirements on a GPU that contradict each other. */
export const gpuConflicts: ManifestRule = (document) => {
  const shared = makersIn(document, ['resources', 'gpu'])
  return scopesOf(document).flatMap((scope) => {
    const path = [...scope, 'resources', 'gpu']
    const own = makersIn(document, path)
    // A role that states neither vendor nor architecture inherits those of the workload.
    const asked: Asked = { document, path, ...(own.names.length === 0 ? shared : own) }
    return [...archOfOther(asked), ...nvidiaOnly(asked)]
  })
}

function makersIn(document: SourceDocument, path: Path): Makers {
  const vendors = textsOf(nodeAt(document, [...path, 'vendor'])).filter((name) => KNOWN.includes(name))
  const arches = textsOf(nodeAt(document, [...path, 'arch']))
  const named = vendors.length === 0 || vendors.includes('any') ? undefined : vendors
  return { names: [...vendors, ...arches], vendors: named, arches }
}

/** `vendor: amd` with `arch: hopper`. Every vendor named must have an architecture, or it could be left out. */
function archOfOther({ document, path, vendors, arches }: Asked): readonly Problem[] {
  const node = nodeAt(document, [...path, 'arch'])
  if (node === undefined || vendors === undefined) return []
  const makers = arches.map(archVendor).filter((maker) => maker !== undefined)
  const stray = makers.find((maker) => !vendors.includes(maker))
  if (stray === undefined) return []
  const message = `This architecture is made by ${stray}, but \`vendor\` is ${vendors.join(', ')}.`
  return [
    problemWith(document, node, { code: 'VALUE_CONFLICT', message, hint: 'Remove vendor: it follows from arch.' }),
  ]
}

/** Requirements that only NVIDIA cards can meet. */
function nvidiaOnly({ document, path, vendors, arches }: Asked): readonly Problem[] {
  const makers = vendors ?? arches.map(archVendor).filter((maker) => maker !== undefined)
  if (makers.length === 0 || makers.includes('nvidia')) return []
  return GPU.keys.flatMap(({ key, nvidiaOnly: isOnly }) => {
    const entry = entryAt(document, [...path, key])
    if (entry === undefined || isOnly?.(textOf(entry.value) ?? '') !== true) return []
    const message = `Only NVIDIA GPUs have this, but the manifest asks for ${makers.join(', ')}.`
    return [
      problemWith(document, entry.value, {
        code: 'VALUE_CONFLICT',
        message,
        hint: `Remove ${key}, or change vendor or arch.`,
      }),
    ]
  })
}
