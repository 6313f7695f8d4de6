import { UserError } from '../../core/base/problem.ts'
import type { Berth } from '../../ports/berth.ts'
import type { Cli } from '../cli.ts'
import { readText } from '../inputs.ts'

interface Kept {
  readonly provider: string
  readonly file: string
  readonly context: string | undefined
}

/**
 * Puts what one context of a kubeconfig needs into the vault of the control plane, files that it names included: the control plane
 * may run on another host, and files on this one may go. Returns the name of the platform secret.
 */
export async function keepKubeconfig({ provider, file, context }: Kept, berth: Berth, cli: Cli): Promise<string> {
  const { text } = readText(file, cli.files)
  const { embedded, pathBeside } = await import('../../providers/kubernetes/api/embed.ts')
  const name = `KUBECONFIG_${provider.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
  const read = (path: string): Buffer => bytesAt(pathBeside(file, path), cli)
  await berth.setPlatformSecret({ name, value: valueOf(() => embedded(text, context, read)) })
  return name
}

function bytesAt(path: string, { files }: Cli): Buffer {
  const bytes = files.read(path)
  if (bytes === undefined) throw new Error('it cannot be read')
  return Buffer.from(bytes)
}

function valueOf(embed: () => string): string {
  try {
    return embed()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const hint = 'Check it with kubectl, or name another file or context.'
    throw new UserError([{ code: 'PROVIDER_SETTINGS', message, hint }])
  }
}
