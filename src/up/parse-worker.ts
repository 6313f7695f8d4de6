import { parentPort } from 'node:worker_threads'
import { readManifest } from '../cli/inputs.ts'
import { UserError } from '../core/base/problem.ts'
import type { ParseAnswer, ParseAsk } from './parse.ts'

// The thread that parses large manifests, so that only their senders wait for it.
parentPort?.on('message', ({ id, text, file }: ParseAsk) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(answer(id, { text, file }))
})

function answer(id: number, source: { readonly text: string; readonly file: string }): ParseAnswer {
  try {
    return { id, ...readManifest(source) }
  } catch (error) {
    if (error instanceof UserError) return { id, problems: error.problems }
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
