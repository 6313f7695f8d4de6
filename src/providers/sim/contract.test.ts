import { providerContract } from '../contract/contract.suite.ts'
import { simBench } from './bench.suite.ts'

providerContract('sim', () => simBench({}))
providerContract('sim without tokens', () => simBench({ tokens: false }))

providerContract('sim as a batch scheduler', () => simBench({ queue_seconds: 3, groups: true, watch: true }))
