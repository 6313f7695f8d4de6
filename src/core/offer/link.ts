import type { GpuModel } from '../hardware/gpu.ts'
import type { Link } from '../hardware/link.ts'

/**
 * How `count` cards of a model are joined in one machine when the source does not say. Undefined when it depends on
 * whether a bridge is installed, which only the source can say.
 */
export function defaultLink(model: Pick<GpuModel, 'link' | 'switchFrom'>, count: number): Link | undefined {
  if (count <= 1) return 'pcie'
  switch (model.link) {
    case 'nvlink':
      return count >= (model.switchFrom ?? Infinity) ? 'nvswitch' : 'nvlink'
    case 'bridge':
      return undefined
    case 'none':
      return 'pcie'
  }
}
