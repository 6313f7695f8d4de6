import { abilityFilter } from './ability.ts'

/** Turns down providers that take no secrets, for workloads that name some. */
export const secrets = abilityFilter({
  name: 'secrets',
  rank: 184,
  ability: 'secrets',
  code: 'NO_SECRETS',
  wanted: 'secrets',
  found: 'its provider takes no secrets',
  doc: {
    why: 'The manifest names secrets, and this provider has no way to hand them to the workload.',
    fix: 'Use a provider that takes secrets; what is not secret belongs under `env`.',
  },
})
