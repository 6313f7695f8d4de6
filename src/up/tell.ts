import { misplacedCredentials } from '../service/credentials.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { someOf } from '../service/platform-rows.ts'
import { unnamedProjects } from '../service/project-rules.ts'
import { closedSecrets } from '../service/secrets.ts'

// What an operator should know at a start, a line each in the log.

/** A key file that is lost is made anew, and opens nothing that was sealed before: better said now than by a launch that fails. */
async function tellOfClosed({ store, vault, log }: Pick<ServiceDeps, 'store' | 'vault' | 'log'>, keyFile: string) {
  const closed = await closedSecrets({ store, vault })
  if (closed.length === 0) return
  log.error('secrets cannot be opened with this key file; put the right one back, or set them anew', {
    key_file: keyFile,
    secrets: someOf(closed),
  })
}

/** Older versions kept what opens providers among the secrets of a project. */
async function tellOfMisplaced(service: Pick<ServiceDeps, 'store' | 'log' | 'config'>): Promise<void> {
  for (const name of await misplacedCredentials(service)) {
    service.log.warn('a credential of a provider lies among the secrets of project default, and no workload gets it', {
      secret: name,
      move_it_with: `berth secret set ${name} --platform --move`,
    })
  }
}

/** What runs as Berth's own user for a project that nobody has named goes on, and is not started again. */
export async function tellOfUnnamed(service: ServiceDeps): Promise<void> {
  for (const project of await unnamedProjects(service)) {
    service.log.warn(
      'programs of a project run as Berth’s own user, and none is started again until it is named for that',
      {
        project,
        name_it_with: `berth project set ${project} --processes`,
      },
    )
  }
}

/** Secrets that cannot be opened, and those that lie where they should not. */
export async function tellOfSecrets(
  service: Pick<ServiceDeps, 'store' | 'vault' | 'log' | 'config'>,
  keyFile: string,
): Promise<void> {
  await tellOfClosed(service, keyFile)
  await tellOfMisplaced(service)
}
