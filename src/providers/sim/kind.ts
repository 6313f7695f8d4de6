import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { simSettings } from './settings.ts'

/** A simulated cloud: catalogue, prices, stock and faults follow its settings. Nothing runs, nothing is billed. */
export const simKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'sim',
  about: 'A simulated cloud, with a catalogue, prices, stock and faults of your choice; for trials and demonstrations.',
  harmless: ['quota'],
  settings: simSettings,
  open: async (...opening) => (await import('./open.ts')).openSim(...opening),
})
