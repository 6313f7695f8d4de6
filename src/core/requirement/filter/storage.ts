import { gib } from '../need/print.ts'
import { quantityFilter } from './quantity.ts'

/** Turns down machines that cannot attach a volume as large as the manifest asks for. */
export const storage = quantityFilter({
  name: 'storage',
  rank: 160,
  key: undefined,
  tooLittle: {
    code: 'VOLUME_TOO_SMALL',
    doc: {
      summary: (reason) => `cannot attach a volume of ${reason.wanted}`,
      clears: 'never',
      why: 'The largest volume that can be attached here is smaller than one that the manifest asks for.',
      fix: 'Make the volume smaller, or mount an object store with `from:`.',
    },
  },
  notKnown: {
    code: 'VOLUME_UNKNOWN',
    doc: {
      summary: () => 'does not say how large a volume it can attach',
      clears: 'never',
      why: 'The source does not say how large a volume can be attached.',
      fix: 'State it in the inventory, or accept it in the policy (`unknown: { accept: [storage] }`).',
    },
  },
  wanted: (need) => need.volumeGib,
  found: (machine) => machine.volumeGib,
  print: gib,
  withRange: (need, range) => ({ ...need, volumeGib: range }),
})
