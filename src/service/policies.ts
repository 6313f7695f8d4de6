import { notFound, refuse } from '../core/base/refuse.ts'
import { DEFAULT_POLICY } from '../core/policy/policy.ts'
import { parsePolicy, policySettings } from '../core/policy/policy-settings.ts'
import { FILTER_NAMES } from '../core/requirement/filter/all-filters.ts'
import { UserError } from '../core/base/problem.ts'
import { SCORE_NAMES } from '../core/requirement/score/all-scores.ts'
import type { PolicyView } from '../ports/berth.ts'
import type { ServiceDeps, Principal } from './deps.ts'
import { has } from './platform.ts'
import { everyRow, someOf, trail, walk } from './platform-rows.ts'
import { EVERYWHERE } from '../core/life/rows.ts'
import { changeOnce } from './requests.ts'

/** Every policy that a manifest may name, sorted by name. */
export async function listPolicies({ store, config }: ServiceDeps): Promise<readonly PolicyView[]> {
  const stated = config()?.policies ?? []
  const rows = await everyRow(store, 'policy', '')
  const added = rows.filter(({ key }) => !has(stated, key))
  const isBuiltIn = !has(stated, DEFAULT_POLICY.name) && !added.some(({ key }) => key === DEFAULT_POLICY.name)
  const views: readonly PolicyView[] = [
    ...(isBuiltIn
      ? [{ name: DEFAULT_POLICY.name, origin: 'built-in' as const, settings: policySettings(DEFAULT_POLICY) }]
      : []),
    ...stated.map((policy) => ({ name: policy.name, origin: 'file' as const, settings: policySettings(policy) })),
    ...added.map(({ key, body }) => ({ name: key, origin: 'api' as const, settings: policySettings(body) })),
  ]
  return views.toSorted((one, two) => (one.name < two.name ? -1 : 1))
}

/** Takes effect with the next decision; running work is not affected. */
export async function setPolicy(
  deps: ServiceDeps,
  actor: Principal,
  { name, settings }: { readonly name: string; readonly settings: Readonly<Record<string, unknown>> },
): Promise<PolicyView> {
  refuseOfFile(deps, name)
  const parsed = parsePolicy(name, settings, { scores: SCORE_NAMES, filters: FILTER_NAMES })
  if ('problems' in parsed) throw new UserError(parsed.problems)
  const policy = parsed.value
  const answer: PolicyView = { name, origin: 'api', settings: policySettings(policy) }
  return changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('policy', name)
    if (row !== undefined && JSON.stringify(policySettings(row.body)) === JSON.stringify(answer.settings)) {
      return { answer, commit: { writes: [] } }
    }
    const facts = { objective: policy.objective }
    const subject = `policy/${name}` as const
    const done = { project: EVERYWHERE, subject, action: 'policy.set', kind: 'policy-set', facts } as const
    const write = { kind: 'policy' as const, key: name, version: row?.version ?? 0, body: policy }
    return { answer, commit: { writes: [write], ...trail(deps, actor, done) } }
  })
}

/** Refused while a workload names the policy, because it could not be placed again. */
export async function removePolicy(deps: ServiceDeps, actor: Principal, name: string): Promise<void> {
  refuseOfFile(deps, name)
  await changeOnce(deps, undefined, async () => {
    const row = await deps.store.get('policy', name)
    if (row === undefined) throw missing(name)
    await refuseInUse(deps, name)
    const done = {
      project: EVERYWHERE,
      subject: `policy/${name}`,
      action: 'policy.remove',
      kind: 'policy-removed',
      facts: {},
    } as const
    const write = { kind: 'policy' as const, key: name, version: row.version, body: undefined }
    return { answer: undefined, commit: { writes: [write], ...trail(deps, actor, done) } }
  })
}

function missing(name: string): UserError {
  if (name !== DEFAULT_POLICY.name) return notFound('policy', { name })
  return refuse(
    'NOT_FOUND',
    `The policy ${name} is built in and cannot be removed.`,
    'To change it, set a policy of this name.',
  )
}

/** The default policy may always be removed, because the built-in one takes its place. */
async function refuseInUse({ store }: ServiceDeps, name: string): Promise<void> {
  if (name === DEFAULT_POLICY.name) return
  const users: string[] = []
  for await (const { key, body } of walk(store, 'workload', '')) {
    if (body.want !== 'removed' && body.manifest.policy === name) users.push(key)
  }
  if (users.length === 0) return
  const hint = 'Apply them with another policy first.'
  throw refuse('POLICY_IN_USE', `The policy ${name} is used by ${someOf(users)}.`, hint)
}

function refuseOfFile({ config }: ServiceDeps, name: string): void {
  if (!has(config()?.policies ?? [], name)) return
  throw refuse(
    'NAME_OF_FILE',
    `The policy ${name} is defined in the infrastructure file.`,
    'Change it there, or choose another name.',
  )
}
