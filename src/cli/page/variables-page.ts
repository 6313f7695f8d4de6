import { VARIABLES, VARIABLES_WHEN } from '../../core/life/call/variables.ts'

/** docs/variables.md: everything that a workload finds in its environment. */
export function variablesPage(): string {
  const rows = VARIABLES.map(({ name, when, says }) => `| \`${name}\` | ${VARIABLES_WHEN[when]} | ${says} |`)
  return `${INTRO}\n\n| variable | when | what it says |\n|---|---|---|\n${rows.join('\n')}\n\n${GANGS}\n`
}

const INTRO = `# Variables of a workload

What a workload finds in its environment, beside what its manifest says under \`env\` and the secrets that it names. A
variable of a gang that the manifest sets itself under \`env\` keeps the manifest's value; all others are Berth's. Nothing
else of Berth's own environment is passed on.

This page is made from the code by \`npm run docs\`.`

const GANGS = `## A gang finds itself

With one process a node the variables are all that \`torch.distributed.init_process_group("gloo")\` (\`env://\`) wants. With
several processes a node start them by torchrun, which takes the rest from the same variables:

    kind: job
    nodes: 2
    command: [torchrun, --nproc-per-node, "8", train.py]

Other launchers are told by their flags:

    command: [sh, -c, 'accelerate launch --num_machines $NNODES --machine_rank $NODE_RANK --main_process_ip $MASTER_ADDR --main_process_port $MASTER_PORT train.py']

On processes of one host all members share that host: they meet at 127.0.0.1, at a port that Berth keeps for the gang for
as long as it stands. Where a provider names its machines beforehand, they meet at the name of rank 0, at port 29500. A
provider that can do neither gets no gangs (NO_RENDEZVOUS).`
