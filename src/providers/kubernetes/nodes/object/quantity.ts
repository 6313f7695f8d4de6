const QUANTITY = /^\+?(\d+(?:\.\d*)?|\.\d+)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/

const UNITS: ReadonlyMap<string, number> = new Map([
  ['n', 1e-9],
  ['u', 1e-6],
  ['m', 1e-3],
  ['k', 1e3],
  ['M', 1e6],
  ['G', 1e9],
  ['T', 1e12],
  ['P', 1e15],
  ['E', 1e18],
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((unit, index): [string, number] => [unit, 1024 ** (index + 1)]),
])

/** Reads a quantity of Kubernetes, such as `8`, `"1k"`, `"3920m"` or `"16Gi"`; undefined: it is none. */
export function parseQuantity(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined
  if (typeof value !== 'string') return undefined
  const [whole, number = '', unit, exponent = '0'] = QUANTITY.exec(value.trim()) ?? []
  if (whole === undefined) return undefined
  const amount = Number(number) * (unit === undefined ? 1 : (UNITS.get(unit) ?? 1)) * 10 ** Number(exponent)
  return Number.isFinite(amount) ? amount : undefined
}
