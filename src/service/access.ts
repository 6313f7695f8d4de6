import { refuse } from '../core/base/refuse.ts'
import { ACCESS_RULES, type Action } from '../api/action.ts'
import type { Principal } from './deps.ts'

/**
 * The one place where access is decided. What no rule allows is denied, and an unknown caller is not allowed anything.
 * Project undefined: the request is not about one project; when it lists everything visible, each project is checked.
 */
export function mayDo(principal: Principal | undefined, action: Action, project: string | undefined): boolean {
  if (principal === undefined || !Object.hasOwn(ACCESS_RULES, action)) return false
  const { roles, scope } = ACCESS_RULES[action]
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
  const { roles, scope } = ACCESS_RULES[action]
  const wanted = `${roles[0]}${scope === 'anywhere' ? '' : where}`
  const own = project === undefined ? undefined : principal.projects.find((one) => mayDo(principal, action, one))
  throw refuse(
    'FORBIDDEN',
    `${principal.name} (${principal.role} in ${principal.projects.join(', ')}) does not have the permission ${action}${project === undefined ? '' : where}.`,
    `This needs a token with the role ${wanted}${roles.length > 1 ? ' or higher' : ''}.${own === undefined ? '' : ` This token is for another project: --project ${own}`}`,
  )
}
