/** A card as its driver reports it. */
export interface SmiCard {
  readonly index: number
  readonly uuid: string
  readonly name: string
  readonly memoryMib: number | undefined
  readonly driver: string | undefined
  /** Whether MIG is on: then the card cannot be used as a whole. */
  readonly mig: boolean
}

/** The query whose output `readSmi` understands. */
export const SMI_ARGV: readonly string[] = [
  'nvidia-smi',
  '--query-gpu=index,uuid,name,memory.total,driver_version,mig.mode.current',
  '--format=csv,noheader,nounits',
]

/** Reads the output of `SMI_ARGV`; lines that are not about a card are problems, never cards. */
export function readSmi(text: string): { readonly cards: readonly SmiCard[]; readonly unread: readonly string[] } {
  const cards: SmiCard[] = []
  const unread: string[] = []
  for (const line of text.split('\n').filter((line) => line.trim() !== '')) {
    const card = cardOf(line)
    if (card === undefined) unread.push(line)
    else cards.push(card)
  }
  return { cards: cards.toSorted((one, two) => one.index - two.index), unread }
}

function cardOf(line: string): SmiCard | undefined {
  const [index = '', uuid = '', name = '', memory = '', driver = '', mig = ''] = line
    .split(',')
    .map((cell) => cell.trim())
  if (!/^\d+$/.test(index) || !/^GPU-[0-9a-f-]+$/i.test(uuid) || name === '') return undefined
  return {
    index: Number(index),
    uuid,
    name,
    memoryMib: /^\d+$/.test(memory) ? Number(memory) : undefined,
    driver: /^\d+(\.\d+)*$/.test(driver) ? driver : undefined,
    mig: mig === 'Enabled',
  }
}
