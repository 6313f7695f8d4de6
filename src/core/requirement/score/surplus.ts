import type { Candidate, Field, Score } from './score.ts'

/** The share of the machine that is used: a machine twice as large in every respect scores 0.5. */
export const surplus: Score = {
  name: 'surplus',
  rewards: 'machines that are no larger than needed',
  of(candidate, field) {
    const shares = usedShares(candidate, field).filter((share) => share > 0)
    return shares.length === 0 ? 1 : shares.reduce((sum, share) => sum + share, 0) / shares.length
  },
}

function usedShares({ machine }: Candidate, { need }: Field): readonly number[] {
  const cards = (machine.gpu?.count ?? 0) * (machine.gpu?.vramGib ?? 0)
  const cardsWanted = (need.gpu?.count.min ?? 0) * (need.gpu?.vramGib.min ?? machine.gpu?.vramGib ?? 0)
  return [
    share(cardsWanted, cards),
    share(need.cpu.min ?? 0, machine.cpu ?? 0),
    share(need.memoryGib.min ?? 0, machine.memoryGib ?? 0),
  ]
}

/** Zero where nothing is asked for or nothing is known: such a share does not count. */
function share(wanted: number, has: number): number {
  return has <= 0 ? 0 : Math.min(1, wanted / has)
}
