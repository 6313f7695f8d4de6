import { PROVIDER_CONTRACT } from '../../ports/provider.ts'
import { defineKind } from '../define-kind.ts'
import { kubeconfigText, kubernetesSettings } from './settings.ts'

/** Any cluster, from a kubeconfig alone. */
export const kubernetesKind = defineKind({
  contract: PROVIDER_CONTRACT,
  kind: 'kubernetes',
  about: 'A Kubernetes cluster, from its kubeconfig alone: nothing is installed in it.',
  harmless: [
    'pick',
    'scheduler',
    'queue',
    'fractions',
    'security',
    'run_as_user',
    'pull_secrets',
    'prices',
    'tolerations',
    'plugins',
    'nodes',
    'storage_image',
  ],
  settings: kubernetesSettings,
  credential: kubeconfigText,
  needsCredential: ({ isInCluster }) => !isInCluster,
  open: async (...opening) => (await import('./open.ts')).openKubernetes(...opening),
})
