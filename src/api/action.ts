import type { RoleName } from '../core/life/rows.ts'

/** Which roles may do something, and where. */
export interface AccessRule {
  readonly roles: readonly RoleName[]
  /**
   * `project`: the principal must have access to the project. `visible`: the same, or it may ask for all projects it has
   * access to at once. `anywhere`: it concerns no project. `platform`: it concerns all projects, so the principal must
   * have access to all of them.
   */
  readonly scope: 'project' | 'visible' | 'anywhere' | 'platform'
}

const EVERY_ROLE = ['reader', 'writer', 'admin'] as const
const WRITERS = ['writer', 'admin'] as const
const ADMINS = ['admin'] as const

/** What a caller wants to do: one word for the object and one for the action. */
export type Action = keyof typeof RULES

const RULES = {
  'info.read': { roles: EVERY_ROLE, scope: 'anywhere' },
  'metrics.read': { roles: EVERY_ROLE, scope: 'platform' },
  'workload.read': { roles: EVERY_ROLE, scope: 'visible' },
  'workload.change': { roles: WRITERS, scope: 'project' },
  'workload.exec': { roles: WRITERS, scope: 'project' },
  'route.read': { roles: EVERY_ROLE, scope: 'platform' },
  'event.read': { roles: EVERY_ROLE, scope: 'visible' },
  'audit.read': { roles: ADMINS, scope: 'platform' },
  'provider.read': { roles: EVERY_ROLE, scope: 'anywhere' },
  'provider.change': { roles: ADMINS, scope: 'platform' },
  'offer.read': { roles: EVERY_ROLE, scope: 'project' },
  'policy.read': { roles: EVERY_ROLE, scope: 'anywhere' },
  'policy.change': { roles: ADMINS, scope: 'platform' },
  'project.read': { roles: EVERY_ROLE, scope: 'visible' },
  'project.change': { roles: ADMINS, scope: 'platform' },
  'token.read': { roles: ADMINS, scope: 'platform' },
  'token.change': { roles: ADMINS, scope: 'platform' },
  'secret.read': { roles: EVERY_ROLE, scope: 'project' },
  'secret.change': { roles: WRITERS, scope: 'project' },
  'credential.read': { roles: ADMINS, scope: 'platform' },
  'credential.change': { roles: ADMINS, scope: 'platform' },
  'template.read': { roles: EVERY_ROLE, scope: 'project' },
  'template.change': { roles: WRITERS, scope: 'project' },
} as const satisfies Readonly<Record<string, AccessRule>>

/** Who may take each action. Routes name an action, and access is decided by these rules alone. */
export const ACCESS_RULES: Readonly<Record<Action, AccessRule>> = RULES
