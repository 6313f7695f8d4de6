import { gib } from '../need/print.ts'
import { withGpu } from '../filter/gpu-need.ts'
import { quantityFilter } from '../filter/quantity.ts'

/** Turns down cards, or slices of cards, sold with less memory than the manifest asks for. */
export const vram = quantityFilter({
  name: 'vram',
  rank: 30,
  key: 'resources.gpu.min_vram',
  tooLittle: {
    code: 'VRAM_TOO_SMALL',
    doc: {
      summary: (reason) => `under ${reason.wanted} of GPU memory`,
      clears: 'never',
      why: '`min_vram` is compared with the advertised size: a card sold as 80 GB satisfies 80Gi although its driver reports 79.6.',
      fix: 'Lower `min_vram`, spread the model over more cards with `count`, or quantise it.',
    },
  },
  notKnown: {
    code: 'VRAM_UNKNOWN',
    doc: {
      summary: () => 'does not say how much GPU memory it has',
      clears: 'never',
      why: 'The source names a GPU that exists in several sizes and does not say which one.',
      fix: 'State the memory in the source, or accept it in the policy (`unknown: { accept: [vram] }`).',
    },
  },
  wanted: (need, machine) => (machine.gpu === undefined ? undefined : need.gpu?.vramGib),
  found: (machine) => machine.gpu?.vramGib,
  print: gib,
  withRange: (need, vramGib) => withGpu(need, { vramGib }),
})
