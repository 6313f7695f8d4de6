import { Option } from 'commander'
import { UserError } from '../../core/base/problem.ts'
import { EXIT, type Cli } from '../cli.ts'
import type { Format } from '../format.ts'

/** A question to answer before a command acts. */
export interface Confirmation {
  readonly text: string
  /** The answer that Enter alone gives. */
  readonly usually: 'yes' | 'no'
  /** `--yes` was given: the user is not asked. */
  readonly isSettled: boolean
  /** With JSON or YAML the user is not asked either: the question would end up in the data. */
  readonly output: Format
}

/** `--yes`, of every command that asks. */
export function yesOption(): Option {
  return new Option('-y, --yes', 'do not ask for confirmation')
}

/** The same flag of commands that change what runs without a question, so that scripts can give it to all of them. */
export function yesUnused(): Option {
  return new Option('-y, --yes', 'has no effect: this command never asks')
}

const TRIES = 3

/** Whether the user says yes. Without a terminal `--yes` is needed. After a no, says that nothing was changed. */
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
  const message = `This needs a confirmation: ${text}`
  const hint = 'Nothing was changed. There is no terminal to ask on; add --yes to confirm.'
  return new UserError([{ code: 'CONFIRMATION_MISSING', message, hint }])
}
