import type { KeyDialect } from '../../requirement/key.ts'
import { GPU } from '../../requirement/table.ts'
import { IN_A_MANIFEST, atKey, textOf } from './rule.ts'
import type { CouplingRule } from './rule.ts'

/** Requirements that say themselves how other tools spell them. */
export const REQUIREMENT_RULES: readonly CouplingRule[] = GPU.keys.flatMap(({ key, dialect }) =>
  dialect === undefined ? [] : [spelledElsewhere(key, dialect)],
)

function spelledElsewhere(key: string, dialect: KeyDialect): CouplingRule {
  return {
    keys: dialect.keys,
    read(site) {
      const value = dialect.value(textOf(site.value) ?? '')
      if (value === undefined) return []
      return [atKey(site, { does: dialect.does, lead: IN_A_MANIFEST, gpu: { more: { [key]: value } } })]
    },
  }
}
