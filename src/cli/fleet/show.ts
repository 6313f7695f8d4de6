import { nearest } from '../../core/document/nearest.ts'
import { summarise } from './draw/summary.ts'
import { useOf, type NodeUse } from '../../core/fleet/use.ts'
import { UserError } from '../../core/base/problem.ts'
import type { Register } from '../cli.ts'
import { loadFleet } from './input.ts'
import { printNode, reportNode } from './node.ts'
import { printFleet, reportFleet } from './print.ts'
import { answer, outputOption } from '../output.ts'
import type { Format } from '../format.ts'

interface ShowFlags {
  readonly output: Format
  readonly all?: boolean
}

/** `berth fleet show`: what is free in a fleet, or a drawing of one node. */
export const fleetShow: Register = (program, cli) => {
  program
    .command('show')
    .argument('<file>', 'fleet file, or an openb node list; `-` is standard input')
    .argument('[node]', 'draw this node: its cards, what runs on them and what still fits')
    .description('show what is free in a fleet, or draw one node of it')
    .option('--all', 'show every domain')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Cards are free, partly used, full (nothing more fits on them) or failing. An island is a set of cards that
all reach each other at the same speed, given in GB/s in one direction. ? means unknown.
docs/fleet.md describes the file format.

Examples:
  berth fleet show examples/fleets/harbor.yaml
  berth fleet show examples/fleets/harbor.yaml dgx-01
  berth fleet show examples/fleets/harbor.yaml -o json | jq '.kinds[] | {model, free: .states.free}'`,
    )
    .action((file: string, name: string | undefined, flags: ShowFlags) => {
      const { fleet, tenants, warnings } = loadFleet(file, cli)
      const uses = useOf(fleet, tenants)
      if (name === undefined) {
        const summary = summarise(uses)
        const shown = { file, summary, warnings, example: busiest(uses), isAll: flags.all === true }
        answer(cli, flags.output, { data: reportFleet(summary, warnings), text: () => printFleet(shown) })
        return
      }
      const use = uses.find(({ node }) => node.id === name) ?? refuse(name, uses)
      answer(cli, flags.output, { data: reportNode(use), text: () => printNode(use, file) })
    })
}

/** The node with the most tenants, which makes the most telling drawing. */
function busiest(uses: readonly NodeUse[]): string {
  let best = uses[0]
  for (const use of uses) if (use.tenants.length > (best?.tenants.length ?? 0)) best = use
  return best?.node.id ?? 'NODE'
}

function refuse(name: string, uses: readonly NodeUse[]): never {
  const ids = uses.map(({ node }) => node.id)
  const meant = nearest(name, ids)
  const hint = meant === undefined ? `Nodes of this fleet: ${ids.slice(0, 6).join(', ')}.` : `Did you mean ${meant}?`
  throw new UserError([{ code: 'VALUE_INVALID', message: `The fleet has no node ${name}.`, found: name, hint }])
}
