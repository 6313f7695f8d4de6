import { providerContract } from '../contract/contract.suite.ts'
import { simBench } from './bench.suite.ts'

providerContract('sim', () => simBench({}))
providerContract('sim without tokens', () => simBench({ tokens: false }))
