import { VARIABLES, VARIABLES_WHEN } from '../../core/life/call/variables.ts'

/** docs/variables.md: every environment variable that Berth sets for a workload. */
export function variablesPage(): string {
  const rows = VARIABLES.map(({ name, when, says }) => `| \`${name}\` | ${VARIABLES_WHEN[when]} | ${says} |`)
  return `${INTRO}\n\n| variable | when | what it says |\n|---|---|---|\n${rows.join('\n')}\n\n${GANGS}\n`
}

const INTRO = `# Variables of a workload

The environment variables that Berth sets for a workload, in addition to those under \`env\` in its manifest and to its
\`secrets\`, each of which becomes a variable of its own name. If a manifest sets one of the variables below:

- Of a gang's variables, and of those that a process gets from its host (\`PATH\` to \`LD_LIBRARY_PATH\`), the manifest's value wins.
- What the shell sets (\`PWD\` and below) is the shell's to decide.
- Of all others Berth's value wins.

A process gets nothing else of Berth's own environment, and a container gets nothing of it at all: its image decides on \`PATH\`.

This page is generated from the code by \`npm run docs\`.`

const GANGS = `## How the members of a gang find each other

With one process per node, the variables are all that \`torch.distributed.init_process_group("gloo")\` (\`env://\`) needs.
With several processes per node, start them with torchrun, which reads the rest from the same variables:

    kind: job
    nodes: 2
    command: [torchrun, --nproc-per-node, "8", train.py]

Other launchers take the values as flags:

    command: [sh, -c, 'accelerate launch --num_machines $NNODES --machine_rank $NODE_RANK --main_process_ip $MASTER_ADDR --main_process_port $MASTER_PORT train.py']

With the \`local\` provider all members share one host: they meet at 127.0.0.1, on a port that Berth keeps for the gang for
as long as it runs. Where a provider names its machines in advance, they meet at the name of rank 0, on port 29500. A
provider that can do neither gets no gangs (NO_RENDEZVOUS).`
