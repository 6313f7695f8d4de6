import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, runpodSettings } from './settings.ts'

/** Containers on rented cards, by RunPod's API v2. */
export const runpodKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'runpod',
  about: 'Containers on cards of RunPod, by its API v2.',
  harmless: ['clouds', 'regions', 'disk', 'registry'],
  settings: runpodSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openRunpod(...opening),
})
