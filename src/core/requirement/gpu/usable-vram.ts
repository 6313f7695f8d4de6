import { gib } from '../need/print.ts'
import { withGpu } from '../filter/gpu-need.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down cards whose driver reports less memory than the manifest asks for. */
export const usableVram = quantityFilter({
  name: 'usable-vram',
  rank: 40,
  key: 'resources.gpu.min_usable_vram',
  tooLittle: {
    code: 'USABLE_VRAM_TOO_SMALL',
    doc: {
      summary: (reason) => `under ${reason.wanted} of usable GPU memory`,
      clears: 'never',
      why: '`min_usable_vram` is compared with what the driver reports, which is less than the advertised size (an H200 of 141 GB reports 140.4Gi).',
      fix: 'Lower `min_usable_vram`, or use `min_vram` if you mean the advertised size.',
    },
  },
  notKnown: {
    code: 'USABLE_VRAM_UNKNOWN',
    doc: {
      summary: (reason) => `does not say whether it has ${reason.wanted} of usable GPU memory`,
      clears: 'never',
      why: 'The hardware table does not list what the driver reports for this card.',
      fix: 'Use `min_vram`, or accept it in the policy (`unknown: { accept: [usable-vram] }`).',
    },
  },
  wanted: (need, machine) => (machine.gpu === undefined ? undefined : need.gpu?.usableGib),
  found: ({ gpu }) => (gpu?.usableMib === undefined ? undefined : gpu.usableMib / 1024),
  print: gib,
  withRange: (need, usableGib) => withGpu(need, { usableGib }),
})
