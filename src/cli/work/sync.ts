import type { FolderEntry } from '../../ports/here.ts'
import { UserError } from '../../core/base/problem.ts'
import { refuse } from '../../core/base/refuse.ts'
import { EXIT, type Cli, type Register } from '../cli.ts'
import { answer } from '../output.ts'
import { berthOf, projectOf, remoteInProject, type ProjectFlags } from '../remote.ts'
import { tarOf } from './tar.ts'

interface SyncFlags extends ProjectFlags {
  readonly slot?: string
}

/** `berth sync`: copies a folder into a running replica. */
export const sync: Register = (program, cli) => {
  remoteInProject(
    program
      .command('sync')
      .description('copy the files of a folder into a running replica')
      .argument('<dir>', 'folder on this machine')
      .argument('<to>', 'NAME:PATH, the workload and the folder there; it is created')
      .option('--slot <slot>', 'slot to copy to, as `berth get` shows it; required if several run'),
  )
    .addHelpText(
      'after',
      `
Files with the same names are replaced, all others stay. A relative PATH begins where programs of the workload start.
Links that lead out of DIR are refused, sockets and devices are left out, and at most 8 GiB are sent: data belongs into
\`storage\`. What was copied is gone when the replica is replaced. The image needs sh and tar. It needs the role writer in
the project and is recorded in the audit log.

Examples:
  berth sync ./src train:/app/src
  berth sync ./prompts llama-70b:prompts --slot 1`,
    )
    .action((dir: string, to: string, flags: SyncFlags) => syncIt({ dir, to }, flags, cli))
}

/** The most that is sent; also the largest file that a tar archive can have without extensions. */
const BYTES_MOST = 8 * 1024 ** 3 - 1
/** How much of what the other side says about a failure is shown. */
const SAID_MOST = 500

async function syncIt(
  { dir, to }: { readonly dir: string; readonly to: string },
  flags: SyncFlags,
  cli: Cli,
): Promise<void> {
  const [, name, path] = /^([^:]+):(.+)$/s.exec(to) ?? []
  if (name === undefined || path === undefined)
    throw refuse('SYNC_REFUSED', `${to} is not a workload and a folder.`, 'Write NAME:PATH, for example train:/app.')
  const entries = chosen(cli, dir)
  const stop = cli.interrupt()
  const at = { project: projectOf(cli, flags), name }
  const tunnel = await berthOf(cli, flags).sync({ ...at, slot: flags.slot, path }, stop)
  const sent = { files: 0, bytes: 0 }
  const sending = send(tunnel, tarOf(entries, count(sent)))
  const said = await textOf(tunnel.output)
  const [end, failure] = await Promise.all([tunnel.ended.catch((error: unknown) => ({ error })), sending])
  if (stop.aborted) {
    cli.terminal.err(`Interrupted: ${sent.files} files were sent, and the rest was not. Run it again to complete it.\n`)
    return cli.exit(EXIT.interrupted)
  }
  if (failure !== undefined) throw refuse('SYNC_FAILED', failure, 'Some files were sent. Run it again.')
  if ('error' in end) throw gone(end.error)
  if (end.code !== 0) throw refuse('SYNC_FAILED', whyNot(end.code, said, path))
  const data = { name, path, ...sent }
  answer(cli, flags.output, {
    data,
    text: () => `${sent.files} file${sent.files === 1 ? '' : 's'}, ${sizeText(sent.bytes)}, to ${name}:${path}`,
  })
}

/** What is sent of a folder. Throws for what must not be. */
function chosen(cli: Cli, dir: string): readonly FolderEntry[] {
  const all = cli.here.walk(dir)
  if (all === undefined) throw refuse('SYNC_FAILED', `There is no folder ${dir}.`)
  const entries = [...all]
  const others = entries.filter(({ kind }) => kind === 'other')
  if (others.length > 0) cli.terminal.err(`Left out, because they are no files: ${namesOf(others)}\n`)
  const out = entries.filter((entry) => entry.kind === 'link' && leadsOut(entry))
  if (out.length > 0)
    throw refuse(
      'SYNC_REFUSED',
      `These links lead out of ${dir}: ${namesOf(out)}`,
      'Copy what they lead to into the folder, or remove them.',
    )
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0)
  if (bytes > BYTES_MOST)
    throw refuse(
      'SYNC_REFUSED',
      `${dir} has ${sizeText(bytes)}, and at most 8 GiB are sent.`,
      'Put large data into an object store and name it in `storage` of the manifest.',
    )
  return entries.filter(({ kind }) => kind !== 'other')
}

/** Whether a link leads to something outside of the folder. */
export function leadsOut({ path, target }: Pick<FolderEntry, 'path' | 'target'>): boolean {
  if (target.startsWith('/')) return true
  let depth = path.split('/').length - 1
  for (const part of target.split('/')) {
    if (part === '..') depth--
    else if (part !== '' && part !== '.') depth++
    if (depth < 0) return true
  }
  return false
}

function namesOf(entries: readonly FolderEntry[]): string {
  const names = entries.slice(0, 5).map(({ path }) => path)
  return `${names.join(', ')}${entries.length > 5 ? ` and ${entries.length - 5} more` : ''}`
}

function count(sent: { files: number; bytes: number }): (entry: FolderEntry) => void {
  return ({ kind, bytes }) => {
    if (kind !== 'folder') sent.files++
    sent.bytes += bytes
  }
}

interface SyncTunnel {
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly end: () => void
  readonly close: () => void
  readonly ended: Promise<unknown>
}

/** Writes until all is sent, or the other side has ended. Returns why it failed on this side. */
async function send(tunnel: SyncTunnel, archive: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  let isOver = false
  const over = (): void => void (isOver = true)
  tunnel.ended.then(over, over)
  try {
    for await (const piece of archive) {
      if (isOver) return undefined
      await tunnel.write(piece)
    }
    tunnel.end()
    return undefined
  } catch (error) {
    tunnel.close()
    return error instanceof Error ? error.message : String(error)
  }
}

async function textOf(output: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of output) {
    if (text.length < SAID_MOST) text += decoder.decode(piece, { stream: true })
  }
  return text.trim().slice(0, SAID_MOST)
}

/** What the exit codes of the unpacking program mean. */
function whyNot(code: number | undefined, said: string, path: string): string {
  if (code === undefined) return 'The replica went away before all files had arrived.'
  if (code === 96) return `The folder ${path} cannot be created or entered there. ${said}`.trim()
  if (code === 97) return `${path} is a link that leads out of the folder of the workload.`
  if (code === 98 || code === 126 || code === 127) return 'The image has no tar, which unpacks the files there.'
  return said === '' ? `Unpacking ended with exit code ${code}.` : said
}

/** An unclear end is a replica that went away; anything else says what it is. */
function gone(error: unknown): unknown {
  const isUnclear = error instanceof UserError && error.problems[0]?.code === 'PORT_CLOSED'
  return isUnclear ? refuse('SYNC_FAILED', error.problems[0]?.message ?? '') : error
}

function sizeText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'] as const
  const power = Math.min(3, bytes === 0 ? 0 : Math.floor(Math.log2(bytes) / 10))
  return `${(bytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`
}
