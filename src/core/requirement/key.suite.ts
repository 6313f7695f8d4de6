import { must } from '../base/assert.ts'
import type { AnyKey } from './key.ts'

/** What the examples of a key ask for, so that general laws hold for keys that they do not know. */
export function wantedByExamples<Facts>(key: AnyKey<Facts>): readonly unknown[] {
  return must(key.notes.examples, `${key.key} has examples`).map((example) =>
    key.want(key.read(key.schema.parse(example), {})),
  )
}
