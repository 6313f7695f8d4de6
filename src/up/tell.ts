import { misplacedCredentials } from '../service/credentials.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { someOf } from '../service/platform-rows.ts'
import { unnamedProjects } from '../service/project-rules.ts'
import { closedSecrets } from '../service/secrets.ts'

// What an operator should know at the start, one log line each.

/** A lost key file is replaced by a new one, which cannot decrypt old secrets. That is logged now, before a launch fails. */
async function tellOfClosed({ store, vault, log }: Pick<ServiceDeps, 'store' | 'vault' | 'log'>, keyFile: string) {
  const closed = await closedSecrets({ store, vault })
  if (closed.length === 0) return
  log.error('secrets cannot be decrypted with this key file; restore the right key file, or set the secrets again', {
    key_file: keyFile,
    secrets: someOf(closed),
  })
}

/** Older versions kept provider credentials among the secrets of a project. */
async function tellOfMisplaced(service: Pick<ServiceDeps, 'store' | 'log' | 'config'>): Promise<void> {
  for (const name of await misplacedCredentials(service)) {
    service.log.warn('a provider credential is among the secrets of project default; no workload may use it', {
      secret: name,
      move_it_with: `berth secret set ${name} --platform --move`,
    })
  }
}

/** Programs that run as Berth's own user without permission keep running, but are not started again. */
export async function tellOfUnnamed(service: ServiceDeps): Promise<void> {
  for (const project of await unnamedProjects(service)) {
    service.log.warn(
      'programs of a project run as Berth’s own user; they will not be started again until the project is allowed that',
      {
        project,
        name_it_with: `berth project set ${project} --processes`,
      },
    )
  }
}

/** Logs secrets that cannot be decrypted, and credentials in the wrong place. */
export async function tellOfSecrets(
  service: Pick<ServiceDeps, 'store' | 'vault' | 'log' | 'config'>,
  keyFile: string,
): Promise<void> {
  await tellOfClosed(service, keyFile)
  await tellOfMisplaced(service)
}
