import { cloudBench } from './bench.suite.ts'
import { CLOUDS } from './cases.ts'
import { cloudStories } from './stories.suite.ts'

for (const [name, cloud] of Object.entries(CLOUDS)) {
  const { vendor, isUnpriced = false } = cloud
  cloudStories(name, () => cloudBench(cloud), { isPartial: vendor.partial !== undefined, isUnpriced })
}
