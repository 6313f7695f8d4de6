// One reader for each kind of array: the engine's inner loops see one element type each, which keeps them fast. Inside
// the engine every index comes from the engine itself; a value beyond the end would be a bug and reads as zero.

export function int(array: Int32Array, index: number): number {
  return array[index] ?? 0
}

export function real(array: Float64Array, index: number): number {
  return array[index] ?? 0
}

export function code(array: Int16Array, index: number): number {
  return array[index] ?? 0
}
