import type { SpotUse } from '../../core/manifest/manifest.ts'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import type { OfferFlags } from './deciding.ts'
import type { ProjectFlags } from '../remote.ts'

export interface PlanFlags extends OfferFlags, ProjectFlags {
  readonly all?: boolean
  readonly optimal?: boolean
  readonly save?: string
  readonly spot?: SpotUse
}

/** Rethrows the error; one about an unreachable control plane also says how to plan without one. */
export function orWithout(error: unknown): never {
  if (!(error instanceof UserError)) throw error
  const problems = error.problems.map((problem) =>
    problem.code === 'CONTROL_PLANE_UNREACHABLE'
      ? { ...problem, hint: `${problem.hint ?? ''}\nOr plan without one: add --offers PATH or --config FILE.` }
      : problem,
  )
  throw new UserError(problems)
}

export const NOTHING_TO_ASK: SourcedProblem = {
  code: 'OFFERS_MISSING',
  message: 'There are no offers to choose from, and no control plane is known.',
  hint: 'Give --offers an inventory, a fleet file, a snapshot or a folder of catalogues, or name `offers` for a provider in berth.config.yaml.\nOr start a control plane with `berth up`, or name one with --url: it plans with what its providers offer now.',
}
