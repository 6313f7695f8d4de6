import { abilityFilter } from './ability.ts'

/** Turns down providers on which the members of a gang cannot find each other. */
export const gangs = abilityFilter({
  name: 'gangs',
  rank: 185,
  ability: 'gangs',
  code: 'NO_RENDEZVOUS',
  wanted: 'machines that can find each other',
  found: 'its provider does not give machines each other’s address',
  doc: {
    why: 'The members of a gang must know each other’s address before they start, and this provider assigns addresses only afterwards.',
    fix: 'Use a provider that assigns addresses beforehand (processes of one host, or clouds that name machines), or run on one node with more cards.',
  },
})
