/** `570.133.20` as a number that sorts like the version: three groups of three digits. Undefined if it is not a version. */
export function versionNumber(text: string): number | undefined {
  const match = /^(\d{1,4})(?:\.(\d{1,3}))?(?:\.(\d{1,3}))?$/.exec(text)
  if (match === null) return undefined
  const [, major = '0', minor = '0', patch = '0'] = match
  return Number(major) * 1_000_000 + Number(minor) * 1_000 + Number(patch)
}

/** The shortest text for a version number: `550`, `12.4`, `570.133.20`. */
export function printVersion(value: number): string {
  const parts = [Math.floor(value / 1_000_000), Math.floor(value / 1_000) % 1_000, value % 1_000]
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop()
  return parts.join('.')
}

/** NVIDIA writes the last part of a driver with two digits: `575.57.08`. */
export function printDriver(value: number): string {
  return printVersion(value).replace(/^(\d+\.\d+)\.(\d)$/, '$1.0$2')
}
