/** A variable that a workload finds in its environment. */
export interface Variable {
  /** `<NAME>` stands for the name of a port, in capitals and with `_` for `-`. */
  readonly name: string
  readonly when: 'always' | 'ports' | 'cards' | 'resuming' | 'gang' | 'process'
  readonly says: string
}

/** When each of them is there, in words. */
export const VARIABLES_WHEN: Readonly<Record<Variable['when'], string>> = {
  always: 'Always',
  ports: 'With `ports`',
  cards: 'On hosts with GPUs',
  resuming: 'Jobs with a `checkpoint`, from the second attempt on',
  gang: 'Jobs with `nodes: 2` or more',
  process: 'Processes of a host (`runtime: process`)',
}

/** All that a workload is told, beside what its manifest says under `env` and the secrets it names. */
export const VARIABLES: readonly Variable[] = [
  { name: 'BERTH_WORKLOAD', when: 'always', says: 'Name of the workload.' },
  {
    name: 'BERTH_SLOT',
    when: 'always',
    says: 'Which replica, role or member of a gang it is: `0`, `decode-1`, `0.3`.',
  },
  { name: 'BERTH_EPOCH', when: 'always', says: 'How often this slot was placed, counted from 1.' },
  { name: 'BERTH_ATTEMPT', when: 'always', says: 'Name of this attempt; never given twice.' },
  { name: 'PORT', when: 'ports', says: 'Number to listen at, of the first port.' },
  {
    name: 'PORT_<NAME>',
    when: 'ports',
    says: 'Number to listen at, of each port: `PORT_HTTP` for a port named `http`.',
  },
  { name: 'CUDA_VISIBLE_DEVICES', when: 'cards', says: 'The cards that are its own; empty: none is.' },
  { name: 'BERTH_RESUME_FROM_MS', when: 'resuming', says: 'When the last checkpoint was made, in ms since 1970.' },
  { name: 'MASTER_ADDR', when: 'gang', says: 'Address of rank 0, where all members meet.' },
  {
    name: 'MASTER_PORT',
    when: 'gang',
    says: 'Port of rank 0; the same for all members, and no other gang’s on that host.',
  },
  { name: 'RANK', when: 'gang', says: 'Number of this node, from 0: for `env://` with one process a node.' },
  { name: 'NODE_RANK', when: 'gang', says: 'The same number, for `torchrun --node-rank` and launchers like it.' },
  {
    name: 'WORLD_SIZE',
    when: 'gang',
    says: 'Number of nodes: for `env://` with one process a node; torchrun sets its own.',
  },
  { name: 'NNODES', when: 'gang', says: 'Number of nodes, for `torchrun --nnodes` and launchers like it.' },
  { name: 'PET_NNODES', when: 'gang', says: 'What torchrun takes for `--nnodes` where the flag is left out.' },
  { name: 'PET_NODE_RANK', when: 'gang', says: 'What torchrun takes for `--node-rank`.' },
  { name: 'PET_MASTER_ADDR', when: 'gang', says: 'What torchrun takes for `--master-addr`.' },
  { name: 'PET_MASTER_PORT', when: 'gang', says: 'What torchrun takes for `--master-port`.' },
  { name: 'BERTH_RANK', when: 'gang', says: 'Number of this node, from 0.' },
  { name: 'BERTH_NODES', when: 'gang', says: 'Number of nodes.' },
  { name: 'BERTH_HOSTS', when: 'gang', says: 'Addresses of all members by rank, joined by commas.' },
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'].map((name): Variable => ({
    name,
    when: 'process',
    says: 'As Berth itself has it, where it has one.',
  })),
]
