import type { Command } from 'commander'
import { EXIT, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { yesUnused } from '../terminal/ask.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { many } from '../../core/base/words.ts'
import type { ProviderView } from '../../ports/berth.ts'

interface DrainFlags extends RemoteFlags {
  readonly undo?: boolean
  readonly cordon?: boolean
}

/** `berth drain`: empty a provider. */
export const drain: Register = (program, cli) => {
  remote(
    program
      .command('drain')
      .description('stop placing work on a provider, and move what runs there if its manifest allows it')
      .argument('<provider>', 'name of the provider')
      .option('--cordon', 'only stop placing new work; what runs there stays')
      .option('--undo', 'let the provider take new work again')
      .addOption(yesUnused()),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  berth drain nebius\n  berth drain nebius --cordon\n  berth drain nebius --undo',
    )
    .action(async (name: string, flags: DrainFlags, command: Command) => {
      if (flags.undo === true && flags.cordon === true)
        command.error('error: --undo and --cordon cannot be combined', { exitCode: EXIT.usage })
      const state = flags.undo === true ? 'open' : flags.cordon === true ? 'cordoned' : 'draining'
      const view = await berthOf(cli, flags).setProvider({ name, state })
      answer(cli, flags.output, { data: view, text: () => printDrained(view) })
    })
}

function printDrained({ name, state, instances }: ProviderView): string {
  const there = instances === 0 ? 'Nothing runs there.' : `${many(instances, 'instance')} there: ${FATE[state]}.`
  const undo = `berth drain ${name} --undo`
  switch (state) {
    case 'open':
      return `${name} takes new work again.`
    case 'cordoned':
      return `${name} takes no new work. ${there}\n\nNext:  ${undo}`
    case 'draining':
      return `${name} takes no new work and is being drained. ${there}\n\nNext:  berth events -A -f      ${undo}`
    case 'removing':
      return `${name} is being removed. ${there}`
    case 'unconfigured':
      return `${name} is not configured. ${there}`
    case 'removed':
      return `${name} is removed.`
  }
}

const FATE: Readonly<Record<ProviderView['state'], string>> = {
  open: 'unchanged',
  cordoned: 'they keep running',
  draining: 'those with drain in migration.on of their manifest move',
  removing: 'they are being stopped',
  unconfigured: 'Berth cannot reach them',
  removed: 'none',
}
