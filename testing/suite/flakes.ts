/** A test that failed and then passed, although nothing had changed. */
export interface Flake {
  readonly name: string
  /** What its first try failed with. */
  readonly why: string | undefined
}

/** One block for the end of a run; undefined: every test passed at once, or failed. */
export function tellFlakes(flakes: readonly Flake[]): string | undefined {
  if (flakes.length === 0) return undefined
  const many = flakes.length === 1 ? '1 test' : `${flakes.length} tests`
  return [
    `${many} passed only at the second try. Find out what the first one depended on, and mend it:`,
    ...flakes.flatMap(({ name, why }) => [
      `  FLAKY ${name}`,
      ...(why === undefined ? [] : [`        ${firstLine(why)}`]),
    ]),
  ].join('\n')
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
