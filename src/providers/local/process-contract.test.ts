import { providerContract } from '../contract/contract.suite.ts'
import { localBench } from './bench.suite.ts'

providerContract('local with processes', () => localBench({ runtime: 'process', gpus: [], ports: '21000-21999' }))
