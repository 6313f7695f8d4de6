import type { DocNode, SourceDocument } from '../../document/document.ts'
import { entryOf, nodeAt, printable } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { listAt, mapAt, problemAt, scopesOf, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

const VAULT_HINT = 'List the name only, for example: secrets: [HF_TOKEN]. Store the value in the vault.'

/** Secrets with their values. The problem does not include the text, because problems are printed and logged. */
export const secretValues: ManifestRule = (document) => {
  const node = nodeAt(document, ['secrets'])
  if (node === undefined || node.kind === 'scalar') return []
  if (node.kind === 'map') return node.entries.length === 0 ? [] : [secretValue(document, node)]
  return node.items.filter(holdsValue).map((item) => secretValue(document, item))
}

function holdsValue(item: DocNode): boolean {
  return item.kind === 'map' || (textOf(item)?.includes('=') ?? false)
}

function secretValue(document: SourceDocument, node: DocNode): Problem {
  const message = 'A manifest must not contain the value of a secret.'
  return problemAt(document, node.at, { code: 'SECRET_VALUE', message, hint: VAULT_HINT })
}

/** `https://user:password@host` in a storage address. */
export const secretAddresses: ManifestRule = (document) =>
  (listAt(document, ['storage'])?.items ?? []).flatMap((_, index) => {
    const node = nodeAt(document, ['storage', index, 'from'])
    if (node === undefined || !/^[a-z0-9]+:\/\/[^/\s]*:[^/\s]*@/.test(textOf(node) ?? '')) return []
    const message = 'This address contains a password.'
    const hint = 'Remove it, and list the name of a secret that contains it.'
    return [problemAt(document, node.at, { code: 'SECRET_VALUE', message, hint })]
  })

/** A variable that is both under `env` and under `secrets`. */
export const secretTwice: ManifestRule = (document) => {
  const secrets = textsOf(listAt(document, ['secrets']))
  return scopesOf(document).flatMap((scope) => {
    const env = mapAt(document, [...scope, 'env'])
    return [...new Set(secrets)].flatMap((name) => {
      const entry = env && entryOf(env, name)
      if (entry === undefined) return []
      const message = `\`${printable(name)}\` is also listed under secrets, which sets it too.`
      return [
        problemAt(document, entry.keyAt, {
          code: 'VALUE_CONFLICT',
          message,
          hint: 'Keep one of the two.',
          found: printable(name),
        }),
      ]
    })
  })
}
