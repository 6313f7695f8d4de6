import { COMPOSE_RULES } from './compose.ts'
import { DSTACK_RULES } from './dstack.ts'
import { HARDWARE_RULES } from './hardware.ts'
import { KUBERNETES_RULES } from './kubernetes.ts'
import { NOMAD_RULES } from './nomad.ts'
import { PLACE_RULES } from './places.ts'
import { POD_RULES } from './pods.ts'
import { REQUIREMENT_RULES } from './requirements.ts'
import type { CouplingRule } from './rule.ts'
import { SKYPILOT_RULES } from './skypilot.ts'
import { SLURM_RULES } from './slurm.ts'
import { TERRAFORM_RULES } from './terraform.ts'

/**
 * Every vocabulary, one line each. Where two know the same key, the first that understands the value reports it, so
 * strict vocabularies come before those that accept any value.
 */
export const RULES: readonly CouplingRule[] = [
  ...KUBERNETES_RULES,
  ...SKYPILOT_RULES,
  ...DSTACK_RULES,
  ...POD_RULES,
  ...COMPOSE_RULES,
  ...NOMAD_RULES,
  ...TERRAFORM_RULES,
  ...SLURM_RULES,
  ...PLACE_RULES,
  ...HARDWARE_RULES,
  ...REQUIREMENT_RULES,
]
