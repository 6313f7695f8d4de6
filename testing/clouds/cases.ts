import { lambdaKind } from '../../src/providers/lambda/kind.ts'
import { runpodKind } from '../../src/providers/runpod/kind.ts'
import { shadeformKind } from '../../src/providers/shadeform/kind.ts'
import { vastKind } from '../../src/providers/vast/kind.ts'
import { yottaKind } from '../../src/providers/yotta/kind.ts'
import { digitaloceanKind } from '../../src/providers/digitalocean/kind.ts'
import type { CloudCase } from './bench.suite.ts'
import { fakeLambda } from './lambda.ts'
import { fakeRunpod } from './runpod.ts'
import { fakeShadeform } from './shadeform.ts'
import { fakeVast } from './vast.ts'
import { fakeYotta } from './yotta.ts'
import { fakeDigitalocean } from './digitalocean.ts'

/** Every cloud over plain REST, with its pretended other side. A new one is one line. */
export const CLOUDS: Readonly<Record<string, CloudCase>> = {
  runpod: { kind: runpodKind, vendor: fakeRunpod, spec: { file: 'runpod-v2.json' }, settings: { ports: 'direct' } },
  lambda: {
    kind: lambdaKind,
    vendor: fakeLambda,
    spec: { file: 'lambda.json' },
    settings: { ssh_key: 'ops', inbound: true },
  },
  vast: { kind: vastKind, vendor: fakeVast, spec: { file: 'vast.yaml' } },
  shadeform: {
    kind: shadeformKind,
    vendor: fakeShadeform,
    spec: { file: 'shadeform.yaml', base: '/v1' },
    base: '/v1',
  },
  yotta: {
    kind: yottaKind,
    vendor: fakeYotta,
    spec: { file: 'yotta-yottaml-sdk.yaml' },
    settings: { prices: { NVIDIA_RTX_4090_24G: 2 } },
    isUnpriced: true,
  },
  digitalocean: { kind: digitaloceanKind, vendor: fakeDigitalocean, spec: { file: 'digitalocean-droplets.json' } },
}
