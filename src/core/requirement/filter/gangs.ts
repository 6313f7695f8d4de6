import { abilityFilter } from './ability.ts'

/** Turns down providers on which the members of a gang cannot find each other. */
export const gangs = abilityFilter({
  name: 'gangs',
  rank: 185,
  ability: 'gangs',
  code: 'NO_RENDEZVOUS',
  wanted: 'machines that find each other',
  found: 'machines of its provider cannot be told each other’s address',
  doc: {
    why: 'The members of a gang must know where to meet before they start, and this provider does not tell the address of a machine beforehand.',
    fix: 'Use a provider that does (processes of one host, or clouds that name machines), or run on one node with more cards.',
  },
})
