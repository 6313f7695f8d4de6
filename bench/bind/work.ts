/** The infrastructure file: one fleet of equal nodes with eight cards each. */
export function configOf(nodes: number): string {
  return `berth: v1
kind: config
providers:
  own:
    kind: sim
    settings:
      calls_per_second: 100000
      start_seconds: 0
      settle_seconds: 1
      fleets: [{ name: hall, nodes: ${nodes}, gpu: { model: h100-sxm, count: 8 }, rack: 32 }]
policies:
  default: { objective: cheapest }
`
}

/** What the work asks for, by turns: mostly single cards, some pairs, quartets and whole nodes, and work without cards. */
const SHAPES = [
  { gpu: 1, cpu: 4, memory: '32Gi' },
  { gpu: 1, cpu: 8, memory: '64Gi' },
  { gpu: 2, cpu: 8, memory: '64Gi' },
  { gpu: 1, cpu: 2, memory: '16Gi' },
  { gpu: 4, cpu: 32, memory: '256Gi' },
  { gpu: 1, cpu: 4, memory: '64Gi' },
  { gpu: 2, cpu: 24, memory: '128Gi' },
  { gpu: 0, cpu: 4, memory: '8Gi' },
  { gpu: 1, cpu: 12, memory: '100Gi' },
  { gpu: 8, cpu: 64, memory: '512Gi' },
] as const

/** So many that about half of a large fleet and most of a small one is taken. */
export function workloadsFor(nodes: number): number {
  return Math.min(10_000, nodes * 3)
}

export function manifestOf(name: string, number: number): string {
  const { gpu, cpu, memory } = SHAPES[number % SHAPES.length] ?? SHAPES[0]
  const cards = gpu === 0 ? '' : `, gpu: { count: ${gpu}, min_vram: 80Gi }`
  return `berth: v1
kind: service
name: ${name}
image: registry.example/serve:1
command: [serve, --number, '${number}']
resources: { cpu: ${cpu}, memory: ${memory}${cards} }
`
}
