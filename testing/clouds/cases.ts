import { lambdaKind } from '../../src/providers/lambda/kind.ts'
import { runpodKind } from '../../src/providers/runpod/kind.ts'
import { vastKind } from '../../src/providers/vast/kind.ts'
import type { CloudCase } from './bench.suite.ts'
import { fakeLambda } from './lambda.ts'
import { fakeRunpod } from './runpod.ts'
import { fakeVast } from './vast.ts'

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
}
