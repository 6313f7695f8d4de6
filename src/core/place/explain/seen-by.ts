import type { AskReport, PlanReport, ReasonReport } from './report.ts'
import type { WaitReport } from '../own/wait-report.ts'

const ANY = 'berth project set NAME '

/** A plan as one project may see it: it names what blocks the project, and hides the names of other projects' work. */
export function seenBy(plan: PlanReport, project: string): PlanReport {
  const asks = plan.asks.map((ask): AskReport => {
    const refused = ask.refused.map((reason) => reasonSeenBy(reason, project))
    return { ...ask, refused, ...(ask.waits && { waits: ask.waits.map((wait) => waitSeenBy(wait, project)) }) }
  })
  return { ...plan, asks }
}

/** The hint for the administrator names this project. */
export function reasonSeenBy(reason: ReasonReport, project: string): ReasonReport {
  return { ...reason, because: reason.because.replace(ANY, `berth project set ${project} `) }
}

export function waitSeenBy(wait: WaitReport, project: string): WaitReport {
  return renamed(wait, (name) => {
    if (name.startsWith(`${project}/`)) return name.slice(project.length + 1)
    return name.includes('/') ? 'work of another project' : name
  })
}

function renamed(wait: WaitReport, nameFor: (name: string) => string): WaitReport {
  const { nearest, would_free: freeing } = wait
  const blocked = nearest?.blocked.map(({ tenants, ...rest }) => {
    return { ...rest, tenants: tenants.map((tenant) => ({ ...tenant, name: nameFor(tenant.name) })) }
  })
  const moves = freeing?.moves.map((move) => ({ ...move, name: nameFor(move.name) }))
  return {
    ...wait,
    nearest: nearest && blocked && { ...nearest, blocked },
    would_free: freeing && moves && { ...freeing, moves },
  }
}
