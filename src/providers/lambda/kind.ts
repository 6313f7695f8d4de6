import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { apiKey, lambdaSettings } from './settings.ts'

/** Virtual machines of Lambda. */
export const lambdaKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'lambda',
  about: 'Virtual machines of Lambda, on which the container of a workload is started.',
  harmless: ['regions', 'ssh_key', 'firewall_ruleset'],
  settings: lambdaSettings,
  credential: apiKey,
  open: async (...opening) => (await import('./open.ts')).openLambda(...opening),
})
