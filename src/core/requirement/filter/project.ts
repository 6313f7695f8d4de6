import { admitting, ANYTHING, chooses, listChoice, printChoice } from '../need/choice.ts'
import type { Filter, Loosening } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down providers that the workload's project may not use. */
export const project: Filter<'site'> = {
  name: 'project',
  rank: 195,
  about: 'site',
  reasons: {
    PROVIDER_NOT_FOR_PROJECT: {
      summary: () => 'the project may not use its provider',
      clears: 'policy',
      why: 'The project lists the providers that its work may be placed on, and this is not one of them. Work that already runs there is left alone.',
      fix: 'Use another project, or ask an administrator: `berth project set NAME --provider ...`.',
    },
    PROCESSES_NOT_FOR_PROJECT: {
      summary: () =>
        'it runs programs as Berth’s own user, and the project has no permission for that (an administrator can allow it: berth project set NAME --processes)',
      clears: 'policy',
      why: 'Programs of this provider run as the user of `berth up` and can read the tokens and the key of the vault. Only projects that an administrator has allowed may run them. A project without such a setting may run them only where every token belongs to an administrator and only this machine can connect.',
      fix: 'Set `runtime: podman` or `docker` for the provider, or ask an administrator: `berth project set NAME --processes`.',
    },
  },
  check({ provider }, { projectProvider, walled }) {
    if (!chooses(projectProvider, provider))
      return no('PROVIDER_NOT_FOR_PROJECT', printChoice(projectProvider), provider)
    return chooses(walled, provider) ? undefined : no('PROCESSES_NOT_FOR_PROJECT', 'containers', 'processes')
  },
  loosen(need, refused) {
    const names = [...new Set(refused.map(({ provider }) => provider))].sort()
    const wider = names
      .filter((name) => chooses(need.walled, name))
      .map((name): Loosening => {
        const projectProvider = admitting(need.projectProvider, name)
        return {
          key: 'project.providers',
          from: listChoice(need.projectProvider),
          to: listChoice(projectProvider),
          need: { ...need, projectProvider },
        }
      })
    const isUnwalled = names.some((name) => chooses(need.projectProvider, name) && !chooses(need.walled, name))
    return isUnwalled
      ? [...wider, { key: 'project.processes', from: 'false', to: 'true', need: { ...need, walled: ANYTHING } }]
      : wider
  },
}
