import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { awsCredential, awsSettings } from './settings.ts'

/** Virtual machines of Amazon EC2. */
export const awsKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'aws',
  about: 'Virtual machines of Amazon EC2, on which the container of a workload is started.',
  // Not regions: machines of a region that is no longer named would not be seen any more.
  harmless: [
    'types',
    'image',
    'image_arm64',
    'disk',
    'root_device',
    'subnets',
    'security_groups',
    'instance_profile',
    'key_name',
  ],
  settings: awsSettings,
  credential: awsCredential,
  // Without one, the host's own is used: its environment, a profile, the role of the machine.
  needsCredential: () => false,
  open: async (...opening) => (await import('./open.ts')).openAws(...opening),
})
