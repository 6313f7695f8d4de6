import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { PERMISSIONS, ruleText } from './permissions.ts'

interface Shipped {
  readonly kind: string
  readonly rules?: readonly { readonly apiGroups: string[]; readonly resources: string[]; readonly verbs: string[] }[]
}

test('the manifest that ships grants what Berth needs, and nothing else', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../deploy/kubernetes/rbac.yaml'), 'utf8')
  const shipped = parseAllDocuments(text).map((document): Shipped => document.toJS())
  const granted = shipped.flatMap(({ kind, rules = [] }) =>
    rules.map(({ apiGroups, resources, verbs }) => [kind, ...apiGroups, ...resources, ...verbs]),
  )
  const needed = PERMISSIONS.map(({ group, resource, verbs, isWide }) => [
    isWide === true ? 'ClusterRole' : 'Role',
    group,
    resource,
    ...verbs,
  ])
  expect(granted).toEqual(needed.toSorted((one, two) => (one[0] === two[0] ? 0 : one[0] === 'ClusterRole' ? -1 : 1)))
})

test('a missing right comes with the rule to add', () => {
  const [nodes] = PERMISSIONS
  expect(nodes && ruleText({ ...nodes, missing: ['watch'] }, 'ml')).toBe(
    'a ClusterRole with {apiGroups: [""], resources: ["nodes"], verbs: [watch]}',
  )
})
