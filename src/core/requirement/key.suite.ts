import { must } from '../base/assert.ts'
import type { AnyKey } from './key.ts'

/** What a manifest holds that states the examples of a key. Amounts reach a schema as they are written, as text. */
export function heldByExamples<Facts>({ key, notes, schema, read }: AnyKey<Facts>): readonly unknown[] {
  return must(notes.examples, `${key} has examples`).map((example) => {
    const parsed = schema.safeParse(example)
    return read(parsed.success ? parsed.data : schema.parse(String(example)), {})
  })
}

/** What the examples of a key ask for, so that general laws hold for keys that they do not know. */
export function wantedByExamples<Facts>(key: AnyKey<Facts>): readonly unknown[] {
  return heldByExamples(key).map((held) => key.want(held))
}
