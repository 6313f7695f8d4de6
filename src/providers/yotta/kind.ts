import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, yottaSettings } from './settings.ts'

/** Pods of Yotta. */
export const yottaKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'yotta',
  about: 'Pods on cards of Yotta, by its API v2.',
  harmless: ['regions', 'prices', 'disk', 'registry_auth'],
  settings: yottaSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openYotta(...opening),
})
