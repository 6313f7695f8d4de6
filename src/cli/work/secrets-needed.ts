import { nearest } from '../../core/document/nearest.ts'
import type { Manifest } from '../../core/manifest/manifest.ts'
import { secretsNeeded } from '../../core/manifest/secret-names.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import type { Berth } from '../../ports/berth.ts'

/** What the check needs to know of a workload. */
export type SecretUser = Pick<Manifest, 'name' | 'secrets' | 'storage'>

interface Where {
  readonly berth: Berth
  readonly project: string
}

/** Reports missing secrets before the question, since the control plane would refuse the workload anyway. */
export async function refuseWithoutSecrets(users: readonly SecretUser[], where: Where): Promise<void> {
  const problems = await missingSecrets(users, where)
  if (problems.length > 0) throw new UserError(problems)
}

/** Secrets that workloads need and their project does not have, each with the command that sets it. */
export async function missingSecrets(
  users: readonly SecretUser[],
  { berth, project }: Where,
): Promise<readonly SourcedProblem[]> {
  if (users.every((user) => secretsNeeded(user).length === 0)) return []
  const there = (await berth.secrets({ project })).map(({ name }) => name)
  return users.flatMap((user) =>
    secretsNeeded(user)
      .filter((secret) => !there.includes(secret))
      .map((secret) => {
        const meant = nearest(secret, there)
        const set = `Set it first: berth secret set ${secret}${project === 'default' ? '' : ` --project ${project}`}`
        const hint = meant === undefined ? set : `Did you mean ${meant}? ${set}`
        const message = `${user.name} needs the secret ${secret}, which project ${project} does not have.`
        return { code: 'SECRET_MISSING', message, found: secret, hint } as const
      }),
  )
}
