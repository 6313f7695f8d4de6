import type { NodeObject } from '../../object/node-object.ts'
import { isMap, textAt } from '../../object/json.ts'

/** Cards as a scheduler that shares them wrote them down in an annotation. */
export interface RegisteredCards {
  readonly annotation: string
  /** Undefined: the text is cut off. */
  readonly cards: number | undefined
  /** Names of the cards, each once. */
  readonly names: readonly string[]
  /** Some of them are out of order. */
  readonly hasSick: boolean
  /** Every one of them is out of order. */
  readonly isSick: boolean
}

/** The cards that HAMi or Volcano registered on a node; undefined: none did. */
export function registeredCards({ annotations }: NodeObject, key: RegExp = NVIDIA): RegisteredCards | undefined {
  for (const [annotation, text] of annotations) {
    if (!key.test(annotation)) continue
    const cards = fromJson(text) ?? fromText(text)
    if (cards.length > 0) {
      const isCutOff = text.endsWith('...')
      const names = [...new Set(cards.map(({ name }) => name))]
      return {
        annotation,
        cards: isCutOff ? undefined : cards.length,
        names,
        hasSick: cards.some(({ isSick }) => isSick),
        isSick: !isCutOff && cards.every(({ isSick }) => isSick),
      }
    }
  }
  return undefined
}

const NVIDIA = /^(hami\.io|4pd\.io)\/node-nvidia-register$|^volcano\.sh\/node-vgpu-register$/

interface RegisteredCard {
  readonly name: string
  readonly isSick: boolean
}

function fromJson(text: string): readonly RegisteredCard[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed)
      ? parsed
          .filter((each) => isMap(each))
          .map((each) => ({ name: nameOf(textAt(each, 'type') ?? ''), isSick: textAt(each, 'health') === 'false' }))
      : undefined
  } catch {
    return undefined
  }
}

/** `id,shares,memory,cores,name,numa,healthy` for each card, with colons between them. */
function fromText(text: string): readonly RegisteredCard[] {
  return text
    .split(':')
    .map((card) => card.split(','))
    .filter((fields) => fields.length >= 5)
    .map((fields) => ({ name: nameOf(fields[4] ?? ''), isSick: fields[6] === 'false' }))
}

/** The maker's name comes twice: `NVIDIA-NVIDIA A100-PCIE-40GB`. */
function nameOf(type: string): string {
  return type.replace(/^NVIDIA-(?=NVIDIA|Tesla|GRID|Quadro|GeForce)/i, '')
}
