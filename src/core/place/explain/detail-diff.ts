/** A nested value that differs before and after. Undefined: it does not exist. */
export interface DetailChange {
  /** `asks[0].refused[2].offers` */
  readonly path: string
  readonly from: unknown
  readonly to: unknown
}

/** The first values, at most `most`, in which two pieces of data differ, in the order in which they are written. */
export function diffDetails(from: unknown, to: unknown, most: number): readonly DetailChange[] {
  const changes: DetailChange[] = []
  compare({ path: '', from, to }, changes, most)
  return changes
}

function compare({ path, from, to }: DetailChange, changes: DetailChange[], most: number): void {
  if (changes.length >= most || Object.is(from, to)) return
  const one = partsOf(from)
  const two = partsOf(to)
  if (one === undefined || two === undefined || Array.isArray(from) !== Array.isArray(to)) {
    changes.push({ path, from, to })
    return
  }
  for (const key of new Set([...one.keys(), ...two.keys()])) {
    const step = Array.isArray(from) ? `[${key}]` : path === '' ? key : `.${key}`
    compare({ path: path + step, from: one.get(key), to: two.get(key) }, changes, most)
  }
}

/** The parts of a list or an object by key; undefined for anything else. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : undefined
}
