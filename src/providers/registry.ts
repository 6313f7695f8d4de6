import type { ProviderKind } from '../ports/provider.ts'
import { awsKind } from './aws/kind.ts'
import { kubernetesKind } from './kubernetes/kind.ts'
import { lambdaKind } from './lambda/kind.ts'
import { localKind } from './local/kind.ts'
import { registered } from './register.ts'
import { runpodKind } from './runpod/kind.ts'
import { shadeformKind } from './shadeform/kind.ts'
import { simKind } from './sim/kind.ts'
import { vastKind } from './vast/kind.ts'
import { yottaKind } from './yotta/kind.ts'
import { digitaloceanKind } from './digitalocean/kind.ts'

/** Every kind of provider, in display order. A new kind is one line here. */
export const PROVIDER_KINDS: readonly ProviderKind[] = registered([
  localKind,
  kubernetesKind,
  simKind,
  runpodKind,
  lambdaKind,
  vastKind,
  shadeformKind,
  yottaKind,
  digitaloceanKind,
  awsKind,
])
