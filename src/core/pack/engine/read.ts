// One reader for each kind of array: the inner loops of the engine see one element type each, which keeps them fast. Every
// index comes from the engine itself; an index beyond the end would be a bug, and reads as zero.

export function int(array: Int32Array, index: number): number {
  return array[index] ?? 0
}

export function real(array: Float64Array, index: number): number {
  return array[index] ?? 0
}

export function code(array: Int16Array, index: number): number {
  return array[index] ?? 0
}
