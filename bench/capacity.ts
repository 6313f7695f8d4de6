import { modelFacts } from '../src/core/hardware/family.ts'
import { GPUS } from '../src/core/hardware/table.ts'
import { must } from '../src/core/base/assert.ts'
import { defaultLink } from '../src/core/offer/link.ts'
import { assignIds, NO_FACTS, type OfferDraft } from '../src/core/offer/identity.ts'
import type { Offer } from '../src/core/offer/offer.ts'

/** As many offers as wanted over the same machines, providers and regions: only zones and prices multiply. */
export function capacity(size: number): readonly Offer[] {
  const next = generator(1)
  const drafts = Array.from({ length: size }, (_, index) => draft(index, next))
  const ids = assignIds(drafts)
  return drafts.map((one, index) => ({ ...one, id: must(ids[index], 'one id a draft') }))
}

const COUNTS = [1, 2, 4, 8] as const
const PROVIDERS = 24
const REGIONS = 12

function draft(index: number, next: () => number): OfferDraft {
  const withGpu = next() % 6 === 0
  const model = must(GPUS[next() % GPUS.length], 'a model')
  const count = must(COUNTS[next() % COUNTS.length], 'a count')
  const size = 2 ** (next() % 8)
  const usdPerHour = (withGpu ? count * (0.2 + (next() % 400) / 100) : size * 0.04) * (1 + (next() % 20) / 100)
  return {
    ...EMPTY,
    provider: `cloud-${next() % PROVIDERS}`,
    region: `region-${next() % REGIONS}`,
    zone: `zone-${index % 997}`,
    instance: withGpu ? `${model.id}-${count}` : `cpu-${size}`,
    gpu: withGpu
      ? { model: model.id, count, slice: undefined, link: defaultLink(must(modelFacts(model.id), 'known'), count) }
      : undefined,
    cpu: withGpu ? count * 16 : size,
    memoryGib: withGpu ? count * 128 : size * 4,
    hostArch: model.hostArch ?? 'amd64',
    usdPerHour: Math.round(usdPerHour * 1e4) / 1e4,
    spotUsdPerHour: Math.round(usdPerHour * 4e3) / 1e4,
    residency: next() % 2 === 0 ? 'eu' : 'us',
  }
}

const EMPTY: OfferDraft = {
  provider: '',
  region: '',
  zone: undefined,
  instance: '',
  ...NO_FACTS,
}

/** A small generator with a seed: the same offers on every machine. */
function generator(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state >>> 8
  }
}
