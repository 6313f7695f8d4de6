import type { Gap } from '../../src/providers/contract/contract.suite.ts'

const NO_EXIT_CODES: Gap = {
  test: 'the exit code is reported for as long as the provider keeps it',
  because: 'its API has no exit codes',
}

/** What single clouds cannot do, pretended or live. */
export const GAPS: Readonly<Record<string, readonly Gap[]>> = {
  runpod: [NO_EXIT_CODES],
  vast: [NO_EXIT_CODES],
  yotta: [NO_EXIT_CODES],
}
