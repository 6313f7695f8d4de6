import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, digitaloceanSettings } from './settings.ts'

/** Virtual machines of DigitalOcean. */
export const digitaloceanKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'digitalocean',
  about: 'Virtual machines of DigitalOcean, on which the container of a workload is started.',
  harmless: ['regions', 'image', 'ssh_keys'],
  settings: digitaloceanSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openDigitalocean(...opening),
})
