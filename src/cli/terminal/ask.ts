import { UserError } from '../../core/base/problem.ts'
import { EXIT, type Cli } from '../cli.ts'
import type { Format } from '../format.ts'

/** A question before something is done. */
export interface Confirmation {
  readonly text: string
  /** What just pressing Enter means. */
  readonly usually: 'yes' | 'no'
  /** `--yes` was given: nobody is asked. */
  readonly isSettled: boolean
  /** Where data is wanted, nobody is asked either: a question would stand in the middle of it. */
  readonly output: Format
}

const TRIES = 3

/** Whether the user says yes. Without somebody to ask, `--yes` is needed; a no says that nothing was done. */
export async function isConfirmed(cli: Cli, question: Confirmation): Promise<boolean> {
  if (question.isSettled) return true
  if (cli.prompt === undefined || question.output !== 'text') throw missing(question)
  const choices = question.usually === 'yes' ? '[Y/n]' : '[y/N]'
  for (let tries = 0; tries < TRIES; tries++) {
    const said = await cli.prompt(`${question.text} ${choices} `)
    if (said.kind === 'interrupted') return nothingDone(cli, EXIT.interrupted)
    const answer = said.kind === 'ended' ? 'no' : meaning(said.text, question)
    if (answer === 'yes') return true
    if (answer === 'no') break
  }
  return nothingDone(cli, EXIT.notDone)
}

function nothingDone(cli: Cli, code: number): false {
  cli.terminal.err('Nothing was changed.\n')
  cli.exit(code)
  return false
}

function meaning(said: string, { usually }: Confirmation): 'yes' | 'no' | undefined {
  const word = said.trim().toLowerCase()
  if (word === '') return usually
  if (word === 'y' || word === 'yes') return 'yes'
  return word === 'n' || word === 'no' ? 'no' : undefined
}

function missing({ text }: Confirmation): UserError {
  const message = `This asks first: ${text}`
  const hint = 'Nobody can be asked here. Add --yes to go on without; nothing was changed.'
  return new UserError([{ code: 'CONFIRMATION_MISSING', message, hint }])
}
