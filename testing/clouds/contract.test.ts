import { providerContract } from '../../src/providers/contract/contract.suite.ts'
import { cloudBench } from './bench.suite.ts'
import { CLOUDS } from './cases.ts'
import { GAPS } from './gaps.ts'

for (const [name, cloud] of Object.entries(CLOUDS)) {
  providerContract(name, () => cloudBench(cloud), GAPS[name] ?? [])
}
