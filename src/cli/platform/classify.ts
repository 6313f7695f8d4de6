import { InvalidArgumentError, Option, type Command } from 'commander'
import { nearest } from '../../core/document/nearest.ts'
import { refuse } from '../../core/base/refuse.ts'
import { createdBy, FAULTS, type Fault } from '../../core/life/call/fault.ts'
import { API_OPERATIONS, type ApiReply } from '../../ports/provider.ts'
import { CLASSIFIERS } from '../../providers/replies.ts'
import type { Cli, Register } from '../cli.ts'
import type { Format } from '../format.ts'
import { readText } from '../inputs.ts'
import { answer, outputOption } from '../output.ts'

interface ClassifyFlags {
  readonly operation: ApiReply['operation']
  readonly status: number
  readonly body: string
  readonly retryAfter?: string
  readonly output: Format
}

/** `berth provider classify`: what Berth makes of a refusal, without a provider, a key or a network. */
export const classify: Register = (program: Command, cli: Cli) => {
  program
    .command('classify')
    .description('show what a reply of a provider means to Berth: its class, its scope, and whether something exists')
    .argument('<kind>', 'kind of provider, for example runpod')
    .addOption(
      new Option('--operation <operation>', 'what was asked').choices([...API_OPERATIONS]).makeOptionMandatory(),
    )
    .requiredOption('--status <number>', 'status of the reply', statusFrom)
    .requiredOption('--body <file>', 'file with the body of the reply; - is standard input')
    .option('--retry-after <text>', 'the Retry-After header of the reply, if it has one')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
The answer comes from the same table that the provider uses. Text that is not in the table is passing, or unknown where
something may have been created; it never counts as sold out.

Examples:
  berth provider classify runpod --operation create --status 400 --body reply.json
  berth provider classify lambda --operation create --status 400 --body - -o json < reply.json`,
    )
    .action((kind: string, flags: ClassifyFlags) => {
      const bytes = cli.files.read(flags.body)
      // Whatever came is a reply, even if it is no text; only a file that is missing is a mistake.
      const body = bytes === undefined ? readText(flags.body, cli.files).text : new TextDecoder().decode(bytes)
      // The header may be an instant, which counts from now.
      const date = new Date(cli.clock.nowMs()).toUTCString()
      const headers = flags.retryAfter === undefined ? {} : { 'retry-after': flags.retryAfter, date }
      const fault = classifierOf(kind)({ operation: flags.operation, status: flags.status, headers, body })
      answer(cli, flags.output, { data: viewOf(fault), text: () => print(fault) })
    })
}

function statusFrom(text: string): number {
  const status = Number(text)
  if (Number.isInteger(status) && status >= 0 && status <= 999) return status
  throw new InvalidArgumentError('It must be the status of a reply, such as 400.')
}

function classifierOf(kind: string): (reply: ApiReply) => Fault {
  const found = Object.hasOwn(CLASSIFIERS, kind) ? CLASSIFIERS[kind] : undefined
  if (found !== undefined) return found
  const kinds = Object.keys(CLASSIFIERS)
  const meant = nearest(kind, kinds)
  const listed = `Kinds whose replies can be classified: ${kinds.join(', ')}.`
  const hint = meant === undefined ? listed : `Did you mean ${meant}? ${listed}`
  throw refuse('PROVIDER_KIND_UNKNOWN', `There is no provider kind ${kind} with replies to classify.`, hint)
}

function viewOf(fault: Fault): Readonly<Record<string, unknown>> {
  const { class: name, scope = FAULTS[fault.class].scope, retryAfterMs } = fault
  return {
    class: name,
    scope,
    created: createdBy(fault),
    retry_after_s: retryAfterMs === undefined ? null : Math.ceil(retryAfterMs / 1000),
  }
}

const CREATED = {
  no: 'nothing was created',
  maybe: 'something may exist',
  yes: 'something exists and is ended',
} as const
const SCOPES = {
  offer: 'this machine in this region',
  region: 'everything in this region',
  instance: 'this machine in every region',
  provider: 'everything of this provider',
  none: 'nothing else',
} as const

function print(fault: Fault): string {
  const { scope = FAULTS[fault.class].scope, ttlMs = FAULTS[fault.class].ttlMs, retryAfterMs } = fault
  const minutes = Math.round(ttlMs / 60_000)
  return [
    `${fault.class}: ${CREATED[createdBy(fault)]}`,
    `  counts for  ${SCOPES[scope]}${minutes === 0 ? '' : `, for ${minutes} min`}`,
    ...(retryAfterMs === undefined ? [] : [`  come back   in ${Math.ceil(retryAfterMs / 1000)} s`]),
    `  said        ${fault.message}`,
  ].join('\n')
}
