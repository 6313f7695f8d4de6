import { afterAll, beforeAll } from 'vitest'
import { must } from '../../../src/core/base/assert.ts'
import { providerContract } from '../../../src/providers/contract/contract.suite.ts'
import { cloudStories } from '../stories.suite.ts'
import { awsBench, type AwsBench } from './bench.suite.ts'
import { awsGangs } from './gangs.suite.ts'
import { awsStories } from './stories.suite.ts'
import { startMoto, type Moto } from './moto.ts'

// python: ['moto']
let moto: Moto | undefined
beforeAll(async () => {
  moto = await startMoto()
}, 300_000)
afterAll(() => moto?.stop())

const bench = (): Promise<AwsBench> => awsBench(must(moto, 'moto is up before the first test'))

providerContract('aws', bench)

cloudStories('aws', bench, { isSilent: true })

awsStories(bench)

awsGangs(bench)
