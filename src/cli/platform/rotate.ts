import type { At, RotationView } from '../../ports/berth.ts'
import { EXIT, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, remote, type RemoteFlags } from '../remote.ts'
import { isConfirmed, yesOption } from '../terminal/ask.ts'
import { many } from '../../core/base/words.ts'

interface RotateFlags extends RemoteFlags {
  readonly yes?: boolean
}

const QUESTION = 'Make a new key and encrypt every secret and credential of all projects under it?'

/** `berth secret rotate`: a new key for everything that is encrypted. */
export const rotate: Register = (program, cli) => {
  remote(
    program
      .command('rotate')
      .description('encrypt every secret and provider credential under a new key (administrators of all projects)')
      .addOption(yesOption()),
  )
    .addHelpText(
      'after',
      `
Values and versions stay, and workloads are not touched. Older keys stay in the key file, because backups
of the database need them. If the command is interrupted, run it again: it goes on with the same key.
Back up the key file afterwards (docs/guides/operate.md).

Examples:
  berth secret rotate
  berth secret rotate --yes -o json`,
    )
    .action(async (flags: RotateFlags) => {
      const isSettled = flags.yes === true
      if (!(await isConfirmed(cli, { text: QUESTION, usually: 'no', isSettled, output: flags.output }))) return
      const view = await berthOf(cli, flags).rotateSecrets({ idempotencyKey: cli.random.id() })
      answer(cli, flags.output, { data: view, text: () => printRotation(view) })
      if (view.unopened.length > 0) cli.exit(EXIT.notDone)
    })
}

function printRotation({ key, secrets, credentials, unopened }: RotationView): string {
  const total = secrets + credentials
  const what = [many(secrets, 'secret'), ...(credentials > 0 ? [many(credentials, 'credential')] : [])].join(' and ')
  return [
    `${what} ${total === 1 ? 'is' : 'are'} encrypted under the new key ${key}.`,
    ...(unopened.length > 0 ? ['', ...printUnopened(unopened)] : []),
    '',
    'Next:  back up the key file of the control plane (vault.key in its data folder, or the file of --vault-key).',
    'Control planes that have a copy of their own need the new file, too.',
  ].join('\n')
}

function printUnopened(unopened: readonly At[]): readonly string[] {
  return [
    `${many(unopened.length, 'value')} could not be decrypted with any key of the key file and ${unopened.length === 1 ? 'was' : 'were'} left unchanged.`,
    'Add the lines of the key file that they were encrypted with (from its backup) and rotate again, or set them again:',
    ...unopened.map(
      ({ project, name }) => `  berth secret set ${name} ${project === '*' ? '--platform' : `--project ${project}`}`,
    ),
  ]
}
