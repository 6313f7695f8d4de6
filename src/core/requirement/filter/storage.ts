import type { Machine } from '../../offer/machine.ts'
import { gib } from '../need/print.ts'
import { quantity } from '../quantity.ts'
import type { Filter } from './filter.ts'

const volume = quantity<Machine>({
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
  found: (machine) => machine.volumeGib,
  print: gib,
})

/** Turns down machines that cannot attach a volume as large as the manifest asks for. Several keys may, so none is loosened. */
export const storage: Filter<'machine'> = {
  name: 'storage',
  rank: 160,
  about: 'machine',
  reasons: volume.reasons,
  check: (machine, need) => volume.check(need.volumeGib, machine, 0),
  miss: (machine, need) => volume.miss?.(need.volumeGib, machine),
}
