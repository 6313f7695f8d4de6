import { admitting, chooses, listChoice, printChoice } from '../need/choice.ts'
import type { Filter } from '../filter/filter.ts'
import { no } from '../reason.ts'
import { withGpu } from '../filter/gpu-need.ts'

/** Turns down accelerators of other makers: an image for one maker's software does not run on another's. */
export const vendor: Filter<'machine'> = {
  name: 'vendor',
  rank: 20,
  about: 'machine',
  reasons: {
    WRONG_VENDOR: {
      summary: (reason) => `not made by ${reason.wanted}`,
      clears: 'never',
      why: 'An image built for one maker (CUDA, ROCm, XLA, Neuron) does not run on the accelerators of another. Without `vendor` in the manifest, only NVIDIA fits.',
      fix: 'If the image runs on other makers’ accelerators too, state it: `vendor: [nvidia, amd]` or `vendor: any` under `resources.gpu`.',
    },
  },
  check(machine, need) {
    if (need.gpu === undefined || machine.gpu === undefined) return undefined
    const found = machine.gpu.vendor
    return chooses(need.gpu.vendor, found) ? undefined : no('WRONG_VENDOR', printChoice(need.gpu.vendor), found)
  },
  loosen(need, refused) {
    const wanted = need.gpu?.vendor
    if (wanted === undefined) return []
    const others = new Set(refused.flatMap((machine) => (machine.gpu === undefined ? [] : [machine.gpu.vendor])))
    return [...others].sort().map((other) => {
      const wider = admitting(wanted, other)
      return {
        key: 'resources.gpu.vendor',
        from: listChoice(wanted),
        to: listChoice(wider),
        need: withGpu(need, { vendor: wider }),
      }
    })
  },
}
