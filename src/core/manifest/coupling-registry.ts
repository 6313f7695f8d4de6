import { COMPOSE_RULES } from './coupling-compose.ts'
import { DSTACK_RULES } from './coupling-dstack.ts'
import { HARDWARE_RULES } from './coupling-hardware.ts'
import { KUBERNETES_RULES } from './coupling-kubernetes.ts'
import { NOMAD_RULES } from './coupling-nomad.ts'
import { PLACE_RULES } from './coupling-places.ts'
import { POD_RULES } from './coupling-pods.ts'
import type { Rule } from './coupling-rule.ts'
import { SKYPILOT_RULES } from './coupling-skypilot.ts'
import { SLURM_RULES } from './coupling-slurm.ts'
import { TERRAFORM_RULES } from './coupling-terraform.ts'

/**
 * Every vocabulary, one line each. Where two know the same key, the first that understands the value answers, so the
 * vocabularies that look more closely come before those that take any value.
 */
export const RULES: readonly Rule[] = [
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
]
