import { abilityFilter } from './ability.ts'

/** Turns down providers that cannot make a Ray cluster of several nodes. */
export const ray = abilityFilter({
  name: 'ray',
  rank: 187,
  ability: 'ray',
  code: 'NO_RAY',
  wanted: 'a Ray cluster of its nodes',
  found: 'its provider does not run Ray over several nodes',
  doc: {
    why: 'The manifest says `framework: ray` and more than one node, and this provider cannot make a Ray cluster of them.',
    fix: 'Install KubeRay in a Kubernetes cluster of yours, or run on one node with more cards.',
  },
})
