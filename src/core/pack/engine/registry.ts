import { bestFit } from './best-fit.ts'
import { fgd } from './fgd.ts'
import type { MakePolicy } from './policy.ts'
import { stranding } from './stranding.ts'

/** Every policy by name: one file, one line here. The first is the default. */
export const POLICIES: Readonly<Record<string, MakePolicy>> = {
  stranding,
  fgd,
  'best-fit': bestFit,
}

export const DEFAULT_POLICY_NAME = 'stranding'
