import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderDocs } from '../src/cli/page/docs.ts'

// Writes the pages of docs/ that follow from the code. A test compares them.
for (const [path, text] of Object.entries(renderDocs())) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(path)
}
