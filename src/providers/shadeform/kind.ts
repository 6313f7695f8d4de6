import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, shadeformSettings } from './settings.ts'

/** Virtual machines of many clouds behind one account. */
export const shadeformKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'shadeform',
  about: 'Virtual machines of many clouds behind one account with Shadeform.',
  harmless: ['regions', 'clouds', 'ssh_key'],
  settings: shadeformSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openShadeform(...opening),
})
