import type { NodeObject } from '../../object/node-object.ts'
import { isMap, textAt } from '../../object/json.ts'

/** Cards as a scheduler that shares them wrote them down in an annotation. */
export interface RegisteredCards {
  readonly annotation: string
  /** Undefined: the text is cut off. */
  readonly cards: number | undefined
  /** Names of the cards, each once. */
  readonly names: readonly string[]
}

/** The cards that HAMi or Volcano registered on a node; undefined: none did. */
export function registeredCards({ annotations }: NodeObject, key: RegExp = NVIDIA): RegisteredCards | undefined {
  for (const [annotation, text] of annotations) {
    if (!key.test(annotation)) continue
    const names = fromJson(text) ?? fromText(text)
    if (names.length > 0) {
      const isCutOff = text.endsWith('...')
      return { annotation, cards: isCutOff ? undefined : names.length, names: [...new Set(names)] }
    }
  }
  return undefined
}

const NVIDIA = /^(hami\.io|4pd\.io)\/node-nvidia-register$|^volcano\.sh\/node-vgpu-register$/

function fromJson(text: string): readonly string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed)
      ? parsed.filter((each) => isMap(each)).map((each) => nameOf(textAt(each, 'type') ?? ''))
      : undefined
  } catch {
    return undefined
  }
}

/** `id,shares,memory,cores,name,numa,healthy` for each card, with colons between them. */
function fromText(text: string): readonly string[] {
  return text
    .split(':')
    .map((card) => card.split(','))
    .filter((fields) => fields.length >= 5)
    .map((fields) => nameOf(fields[4] ?? ''))
}

/** The maker's name comes twice: `NVIDIA-NVIDIA A100-PCIE-40GB`. */
function nameOf(type: string): string {
  return type.replace(/^NVIDIA-(?=NVIDIA|Tesla|GRID|Quadro|GeForce)/i, '')
}
