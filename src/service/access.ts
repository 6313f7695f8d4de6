import { refuse } from '../core/base/refuse.ts'
import type { Action } from '../api/route.ts'
import type { RoleName } from '../core/life/rows.ts'
import type { Principal } from './deps.ts'

/** Which roles may do something, and where. */
interface Rule {
  readonly roles: readonly RoleName[]
  /**
   * `project`: the principal must have access to the project. `visible`: the same, or it may ask for all projects it has
   * access to at once. `anywhere`: it concerns no project. `platform`: it concerns all projects, so the principal must
   * have access to all of them.
   */
  readonly scope: 'project' | 'visible' | 'anywhere' | 'platform'
}

const EVERYBODY = ['reader', 'writer', 'admin'] as const
const WRITERS = ['writer', 'admin'] as const
const ADMINS = ['admin'] as const

const RULES: Readonly<Record<Action, Rule>> = {
  'info.read': { roles: EVERYBODY, scope: 'anywhere' },
  'metrics.read': { roles: EVERYBODY, scope: 'platform' },
  'workload.read': { roles: EVERYBODY, scope: 'visible' },
  'workload.change': { roles: WRITERS, scope: 'project' },
  'workload.exec': { roles: WRITERS, scope: 'project' },
  'event.read': { roles: EVERYBODY, scope: 'visible' },
  'audit.read': { roles: ADMINS, scope: 'platform' },
  'provider.read': { roles: EVERYBODY, scope: 'anywhere' },
  'provider.change': { roles: ADMINS, scope: 'platform' },
  'offer.read': { roles: EVERYBODY, scope: 'project' },
  'policy.read': { roles: EVERYBODY, scope: 'anywhere' },
  'policy.change': { roles: ADMINS, scope: 'platform' },
  'project.read': { roles: EVERYBODY, scope: 'visible' },
  'project.change': { roles: ADMINS, scope: 'platform' },
  'token.read': { roles: ADMINS, scope: 'platform' },
  'token.change': { roles: ADMINS, scope: 'platform' },
  'secret.read': { roles: EVERYBODY, scope: 'project' },
  'secret.change': { roles: WRITERS, scope: 'project' },
  'credential.read': { roles: ADMINS, scope: 'platform' },
  'credential.change': { roles: ADMINS, scope: 'platform' },
  'template.read': { roles: EVERYBODY, scope: 'project' },
  'template.change': { roles: WRITERS, scope: 'project' },
}

/**
 * The one place where access is decided. What no rule allows is denied, and an unknown caller is not allowed anything.
 * Project undefined: the request is not about one project; when it lists everything visible, each project is checked.
 */
export function mayDo(principal: Principal | undefined, action: Action, project: string | undefined): boolean {
  if (principal === undefined || !Object.hasOwn(RULES, action)) return false
  const { roles, scope } = RULES[action]
  if (!roles.includes(principal.role)) return false
  const isEverywhere = principal.projects.includes('*')
  switch (scope) {
    case 'anywhere':
      return true
    case 'platform':
      return isEverywhere
    case 'visible':
      return project === undefined || isEverywhere || principal.projects.includes(project)
    case 'project':
      return project !== undefined && (isEverywhere || principal.projects.includes(project))
  }
}

/** Throws FORBIDDEN unless the principal is allowed to do this. */
export function mustBeAllowed(principal: Principal, action: Action, project: string | undefined): void {
  if (mayDo(principal, action, project)) return
  const where = project === undefined ? ' in all projects' : ` in project ${project}`
  const { roles, scope } = RULES[action]
  const wanted = `${roles[0]}${scope === 'anywhere' ? '' : where}`
  const own = project === undefined ? undefined : principal.projects.find((one) => mayDo(principal, action, one))
  throw refuse(
    'FORBIDDEN',
    `${principal.name} (${principal.role} in ${principal.projects.join(', ')}) is not allowed ${action}${project === undefined ? '' : where}.`,
    `This needs a token with the role ${wanted} or higher.${own === undefined ? '' : ` This token is for another project: --project ${own}`}`,
  )
}
