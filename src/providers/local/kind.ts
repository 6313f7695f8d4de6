import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { localSettings } from './settings.ts'

/** This host: plain processes, or containers through podman or docker. */
export const localKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'local',
  about: 'This host: real processes, or containers through podman or docker; cards as nvidia-smi finds them.',
  harmless: ['cpu', 'memory', 'ports', 'log'],
  settings: localSettings,
  open: async (...opening) => (await import('./open.ts')).openLocal(...opening),
})
