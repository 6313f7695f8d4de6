import { readFileSync } from 'node:fs'
import * as z from 'zod'

// Writes the table of docs/benchmarks.md from what `npm run bench -- families -o json` has measured:
//   node scripts/families-table.ts measured.json

const figures = z.object({ '95': z.number(), '100': z.number(), '130': z.number() })
const measured = z.object({
  members: z.array(z.object({ axis: z.string(), share: z.number(), berth: figures, fgd: figures, ahead: figures })),
})

const file = process.argv[2]
if (file === undefined) {
  console.error('Name the file with the measured figures: node scripts/families-table.ts measured.json')
  process.exitCode = 64
} else {
  const { members } = measured.parse(JSON.parse(readFileSync(file, 'utf8')))
  console.log('| mix | Berth @95 | @100 | @130 | FGD @95 | @100 | @130 | ahead @95 | @100 | @130 |')
  console.log('|---|---|---|---|---|---|---|---|---|---|')
  for (const { axis, share, berth, fgd, ahead } of members) {
    const cells = [berth, fgd].flatMap((of) => [of['95'], of['100'], of['130']].map((value) => value.toFixed(2)))
    const by = [ahead['95'], ahead['100'], ahead['130']].map(
      (value) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`,
    )
    console.log(`| ${axis} ${share} % | ${[...cells, ...by].join(' | ')} |`)
  }
}
