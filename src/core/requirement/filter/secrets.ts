import { abilityFilter } from './ability.ts'

/** Turns down providers that accept no secrets, for workloads that use some. */
export const secrets = abilityFilter({
  name: 'secrets',
  rank: 184,
  ability: 'secrets',
  code: 'NO_SECRETS',
  wanted: 'secrets',
  found: 'its provider accepts no secrets',
  doc: {
    why: 'The manifest names secrets, and this provider has no way to pass them to the workload.',
    fix: 'Use a provider that accepts secrets. Values that are not secret belong under `env`.',
  },
})
