import { must } from '../../base/assert.ts'
import type { GpuNeed, Need } from '../need/need.ts'

/** The need with some of its GPU requirements replaced. */
export function withGpu(need: Need, change: Partial<GpuNeed>): Need {
  return { ...need, gpu: { ...must(need.gpu, 'only a need for GPUs has GPU requirements to change'), ...change } }
}
