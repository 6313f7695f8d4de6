import { planeWith, type TestPlane } from './plane.suite.ts'
import { MANIFEST } from './harness.suite.ts'

export const TEMPLATE = `berth: v1
kind: service
name: chat
image: ghcr.io/acme/vllm:0.22
parameters:
  gpus: { type: number, default: 4 }
  model: { type: text, default: llama }
resources:
  gpu:
    count: \${gpus}
    min_vram: 80Gi
env:
  MODEL: \${model}
`

/** Three machines at one provider, and nothing running. */
export function emptyPlane(): TestPlane {
  return planeWith(async () => {})
}

/** The manifest as a job that takes so long and ends with these codes, one after the other. */
export function jobOf({ seconds, exits = '0', more = '' }: JobLife): string {
  const env = `env: { SIM_SECONDS: '${seconds}', SIM_EXIT: '${exits}', SIM_LINES: '1' }`
  return `${MANIFEST.replace('kind: service', 'kind: job')}${env}\n${more}`
}

interface JobLife {
  readonly seconds: number
  readonly exits?: string
  readonly more?: string
}

/** One in which these were applied, some seconds ago. */
export function planeOf(texts: readonly string[], secondsAgo = 10): TestPlane {
  return planeWith(
    async (plane) => {
      for (const [at, text] of texts.entries()) {
        await plane.apply({ project: 'default', text, file: 'w', idempotencyKey: `k${at}` })
      }
    },
    { secondsAgo },
  )
}

/** Nothing anywhere. */
export function barePlane(): TestPlane {
  return planeWith(async () => {}, { config: 'berth: v1\nkind: config\n' })
}

/** One in which everything has something to show, since a minute. */
export function furnishedPlane(): TestPlane {
  return planeWith(
    async (plane) => {
      const at = { project: 'default', name: 'chat' }
      await plane.setProject({ project: 'default', usd_per_hour_max: 50 })
      await plane.setSecret({ project: 'default', name: 'HF_TOKEN', value: 'canary' })
      await plane.apply({ project: 'default', text: MANIFEST, file: 'w.yaml', idempotencyKey: 'k' })
      await plane.pushTemplate({ ...at, text: TEMPLATE })
      await plane.pushTemplate({ ...at, text: TEMPLATE.replace('default: 4', 'default: 2') })
      await plane.createToken({ name: 'ci', role: 'writer', projects: ['default'], ttl_ms: 86_400_000 })
    },
    { secondsAgo: 60 },
  )
}
