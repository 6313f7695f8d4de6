import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, vastSettings } from './settings.ts'

/** Containers on machines of strangers, by the market of Vast. */
export const vastKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'vast',
  about: 'Containers on the machines of the market Vast, at fixed prices or by bids.',
  harmless: ['regions', 'verified', 'min_reliability', 'most_offers', 'disk'],
  settings: vastSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openVast(...opening),
})
