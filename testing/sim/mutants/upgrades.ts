import type { Mutant } from './mutant.ts'

/** What must hold when a control plane of the last version is killed and this one goes on. */
export const UPGRADES: readonly Mutant[] = [
  {
    name: 'upgrade-forgets-what-is-done',
    rule: 'an upgrade loses nothing: what is done is not done again',
    file: 'src/core/life/row/status.ts',
    within: 'namesVersions',
    find: '({ stood, ...body }) => $_',
    replace: '({ stood, ...body }) => ({ ...body, completed: [], end: undefined })',
  },
  {
    name: 'upgrade-forgets-the-phase',
    rule: 'an upgrade loses nothing: what runs is known to run',
    file: 'src/core/life/row/placement.ts',
    within: 'namesVersion',
    find: '({ shape, ...body }) => $_',
    replace:
      "({ shape, ...body }) => ({ ...body, shape: `1.${String(shape)}`, phase: body.phase === 'gone' ? 'gone' : 'reserved' })",
  },
  {
    name: 'upgrade-renames-what-runs',
    rule: 'nothing that runs is replaced because a newer version calls it otherwise',
    file: 'src/core/life/row/placement.ts',
    within: 'namesVersion',
    find: '({ shape, ...body }) => $_',
    replace: '({ shape, ...body }) => ({ ...body, shape: `2.${String(shape)}` })',
  },
  {
    name: 'upgrade-drops-a-key',
    rule: 'every row of the last version can be read',
    file: 'src/core/life/row/placement.ts',
    within: 'namesVersion',
    find: '({ shape, ...body }) => $_',
    replace: '({ shape, ...body }) => body',
  },
]
