import { providerContract, type Gap } from '../../src/providers/contract/contract.suite.ts'
import { cloudBench } from './bench.suite.ts'
import { CLOUDS } from './cases.ts'

const NO_EXIT_CODES: Gap = {
  test: 'the exit code is reported for as long as the provider keeps it',
  because: 'its API has no exit codes',
}

const GAPS: Readonly<Record<string, readonly Gap[]>> = {
  runpod: [NO_EXIT_CODES],
  vast: [NO_EXIT_CODES],
  yotta: [NO_EXIT_CODES],
}

for (const [name, cloud] of Object.entries(CLOUDS)) {
  providerContract(name, () => cloudBench(cloud), GAPS[name] ?? [])
}
