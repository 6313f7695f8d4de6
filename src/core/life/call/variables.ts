/** A variable that a workload finds in its environment. */
export interface Variable {
  /** `<NAME>` stands for the name of a port, in capitals and with `_` for `-`. */
  readonly name: string
  readonly when: 'always' | 'ports' | 'cards' | 'resuming' | 'gang' | 'process' | 'shell' | 'kubernetes'
  readonly says: string
}

/** When each variable is set, in words. */
export const VARIABLES_WHEN: Readonly<Record<Variable['when'], string>> = {
  always: 'Always',
  ports: 'With `ports`',
  cards: 'On hosts with GPUs',
  resuming: 'Jobs with a `checkpoint`, from the second attempt on',
  gang: 'Work with `nodes: 2` or more',
  process: 'Processes on a host (`runtime: process`)',
  shell: 'Processes on a host, from the shell that starts them',
  kubernetes: 'On Kubernetes, for workloads without cards',
}

/** Every variable that Berth sets, in addition to the manifest's `env` and the secrets it names. */
export const VARIABLES: readonly Variable[] = [
  { name: 'BERTH_WORKLOAD', when: 'always', says: 'Name of the workload.' },
  {
    name: 'BERTH_SLOT',
    when: 'always',
    says: 'Which replica, role or gang member this is: `0`, `decode-1`, `0.3`. A successor has the slot of its predecessor: `0`, although commands show it as `0.b`.',
  },
  {
    name: 'BERTH_EPOCH',
    when: 'always',
    says: 'How many times this slot has been placed, counted from 1: a successor has a higher one than its predecessor.',
  },
  {
    name: 'BERTH_ATTEMPT',
    when: 'always',
    says: 'Name of this attempt; never used twice, so it tells a successor from its predecessor while both run.',
  },
  { name: 'PORT', when: 'ports', says: 'Port number to listen on, for the first port.' },
  {
    name: 'PORT_<NAME>',
    when: 'ports',
    says: 'Port number to listen on, for each port: `PORT_HTTP` for a port named `http`.',
  },
  { name: 'CUDA_VISIBLE_DEVICES', when: 'cards', says: 'The cards that the workload may use; empty if it has none.' },
  {
    name: 'NVIDIA_VISIBLE_DEVICES',
    when: 'kubernetes',
    says: '`void`: the workload sees no cards, whatever its image says.',
  },
  { name: 'BERTH_RESUME_FROM_MS', when: 'resuming', says: 'When the last checkpoint was made, in ms since 1970.' },
  { name: 'MASTER_ADDR', when: 'gang', says: 'Address of rank 0, where all members meet.' },
  {
    name: 'MASTER_PORT',
    when: 'gang',
    says: 'Port of rank 0: the same for all members, and used by no other gang on that host.',
  },
  { name: 'RANK', when: 'gang', says: 'Number of this node, from 0: for `env://` with one process per node.' },
  { name: 'NODE_RANK', when: 'gang', says: 'The same number, for `torchrun --node-rank` and similar launchers.' },
  {
    name: 'WORLD_SIZE',
    when: 'gang',
    says: 'Number of nodes: for `env://` with one process per node; torchrun sets its own.',
  },
  { name: 'NNODES', when: 'gang', says: 'Number of nodes, for `torchrun --nnodes` and similar launchers.' },
  { name: 'PET_NNODES', when: 'gang', says: 'The value torchrun uses for `--nnodes` when the flag is absent.' },
  { name: 'PET_NODE_RANK', when: 'gang', says: 'The value torchrun uses for `--node-rank`.' },
  { name: 'PET_MASTER_ADDR', when: 'gang', says: 'The value torchrun uses for `--master-addr`.' },
  { name: 'PET_MASTER_PORT', when: 'gang', says: 'The value torchrun uses for `--master-port`.' },
  { name: 'BERTH_RANK', when: 'gang', says: 'Number of this node, from 0.' },
  { name: 'BERTH_NODES', when: 'gang', says: 'Number of nodes.' },
  { name: 'BERTH_HOSTS', when: 'gang', says: 'Addresses of all members by rank, joined by commas.' },
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH'].map((name): Variable => ({
    name,
    when: 'process',
    says:
      name === 'PATH'
        ? 'The value of the environment that `berth up` was started with; `/usr/local/bin:/usr/bin:/bin` if it is not set there.'
        : 'The value of the environment that `berth up` was started with, if it is set there.',
  })),
  { name: 'PWD', when: 'shell', says: 'The folder in which the process starts: a new and empty one for each attempt.' },
  ...['OLDPWD', 'SHLVL', '_'].map((name): Variable => ({
    name,
    when: 'shell',
    says: 'Set only where `/bin/sh` is bash. Do not rely on it.',
  })),
]
