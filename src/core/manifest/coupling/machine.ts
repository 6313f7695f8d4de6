/** What a machine has apart from its cards. */
export interface MachineSize {
  readonly cpu: number
  readonly memoryGib: number
}

/**
 * GiB of memory per CPU, by family; the size in the name gives the number of CPUs. Families without a single ratio are
 * listed machine by machine in SIZES.
 */
const GIB_PER_CPU = `
  2      a1 c5 c5a c5ad c5d c6a c6g c6gd c6gn c6i c6id c6in c7a c7g c7gd c7gn c7i c7i-flex c8g g5g inf1
  4      g4ad g4dn g5 g6 inf2 m4 m5 m5a m5ad m5d m5dn m5n m5zn m6a m6g m6gd m6i m6id m6idn m6in m7a m7g m7gd m7i
  4      m7i-flex m8g trn1 trn1n
  8      g6e gr6 i3en i4i p3dn r5 r5a r5ad r5b r5d r5dn r5n r6a r6g r6gd r6i r6id r6in r7a r7g r7gd r7i r8g z1d
  7.625  p3
  12     p4d p4de
  0.9    n1-highcpu
  1      e2-highcpu n2-highcpu n2d-highcpu
  2      c2d-highcpu c3-highcpu n4-highcpu
  3.75   n1-standard
  4      c2-standard c2d-standard c3-standard c3d-standard e2-standard g2-standard h3-standard n2-standard n2d-standard
  4      n4-standard t2a-standard t2d-standard
  6.5    n1-highmem
  8      c2d-highmem c3-highmem c3d-highmem e2-highmem n2d-highmem n4-highmem z3-highmem
`

/** CPUs and GiB of machines whose names do not state them. */
const SIZES = `
  p5.4xlarge 16 256
  p5.48xlarge 192 2048
  p5e.48xlarge 192 2048
  p5en.48xlarge 192 2048
  p6-b200.48xlarge 192 2048
  p6-b300.48xlarge 192 4096
  trn2.48xlarge 192 2048
  t3.micro 2 1
  t3.small 2 2
  t3.medium 2 4
  t3.large 2 8
  t3.xlarge 4 16
  t3.2xlarge 8 32
  a2-highgpu-1g 12 85
  a2-highgpu-2g 24 170
  a2-highgpu-4g 48 340
  a2-highgpu-8g 96 680
  a2-megagpu-16g 96 1360
  a2-ultragpu-1g 12 170
  a2-ultragpu-2g 24 340
  a2-ultragpu-4g 48 680
  a2-ultragpu-8g 96 1360
  a3-highgpu-1g 26 234
  a3-highgpu-2g 52 468
  a3-highgpu-4g 104 936
  a3-highgpu-8g 208 1872
  a3-megagpu-8g 208 1872
  a3-ultragpu-8g 224 2952
  a4-highgpu-8g 224 3968
  standard_nc6s_v3 6 112
  standard_nc12s_v3 12 224
  standard_nc24s_v3 24 448
  standard_nc24rs_v3 24 448
  standard_nc4as_t4_v3 4 28
  standard_nc8as_t4_v3 8 56
  standard_nc16as_t4_v3 16 110
  standard_nc64as_t4_v3 64 440
  standard_nc24ads_a100_v4 24 220
  standard_nc48ads_a100_v4 48 440
  standard_nc96ads_a100_v4 96 880
  standard_nc40ads_h100_v5 40 320
  standard_nc80adis_h100_v5 80 640
  standard_nd40rs_v2 40 672
  standard_nd96asr_v4 96 900
  standard_nd96amsr_a100_v4 96 1800
  standard_nd96isr_h100_v5 96 1900
  standard_nv36ads_a10_v5 36 440
  standard_nv72ads_a10_v5 72 880
  bm.gpu4.8 128 2048
  bm.gpu.a100-v2.8 256 2048
  bm.gpu.h100.8 224 2048
  bm.gpu.h200.8 224 3072
  bm.gpu.l40s.4 224 1024
  vm.gpu.a10.1 30 240
  vm.gpu.a10.2 60 480
  gpu_1x_a10 30 200
  gpu_1x_a100_sxm4 30 200
  gpu_1x_gh200 64 432
  gpu_1x_h100_pcie 26 200
  gpu_1x_h100_sxm5 26 225
  gpu_8x_a100 124 1800
  gpu_8x_a100_80gb_sxm4 240 1800
  gpu_8x_b200_sxm6 208 2900
  gpu_8x_h100_sxm5 208 1800
`

const RATIOS: ReadonlyMap<string, number> = new Map(
  rowsOf(GIB_PER_CPU).flatMap(([ratio, ...families]) => families.map((family) => [family, Number(ratio)] as const)),
)

const EXACT: ReadonlyMap<string, MachineSize> = new Map(
  rowsOf(SIZES).map(([name = '', cpu, gib]) => [name, { cpu: Number(cpu), memoryGib: Number(gib) }]),
)

/** Longer texts are not names, and would slow down the patterns below. */
const NAME_MAX = 64

/** Patterns of names that only machines have, whether or not the machine is known. */
const SHAPES: readonly RegExp[] = [
  /^[a-z][a-z0-9-]*\d[a-z0-9-]*\.(nano|micro|small|medium|large|metal|\d*xlarge|metal-\d+xl)$/i,
  /^[a-z]\d[a-z]?-(standard|highmem|highcpu|highgpu|ultragpu|megagpu|edgegpu|ultramem|megamem)-\d+g?(-lssd)?$/i,
  /^(standard|basic)_[a-z]+\d+[a-z0-9_-]*$/i,
  /^(vm|bm)\.(gpu|standard|densio|optimized)[a-z0-9.$_-]*$/i,
  /^gpu_\d+x_[a-z0-9_]+$/i,
]

/** Whether a text can only be a provider's name for a machine. */
export function looksLikeMachine(text: string): boolean {
  return text.length <= NAME_MAX && SHAPES.some((shape) => shape.test(text))
}

/** CPUs and memory of a well-known machine; undefined when the name is not known. */
export function machineSize(name: string): MachineSize | undefined {
  const plain = name.trim().toLowerCase()
  return EXACT.get(plain) ?? sizeInName(plain)
}

/** `m5.4xlarge` and `n2-standard-16` state their CPUs; the family gives the memory per CPU. */
function sizeInName(name: string): MachineSize | undefined {
  const [, family = '', size = ''] = /^([a-z0-9-]+)[.-]([a-z0-9]+)$/.exec(name) ?? []
  const ratio = RATIOS.get(family)
  const cpu = family.includes('-') && /^\d+$/.test(size) ? Number(size) : cpuOfWord(size)
  return ratio === undefined || cpu === undefined ? undefined : { cpu, memoryGib: cpu * ratio }
}

/** `large` has 2 CPUs, `xlarge` 4, `12xlarge` 48. */
function cpuOfWord(size: string): number | undefined {
  if (size === 'medium') return 1
  if (size === 'large') return 2
  const [, times] = /^(\d*)xlarge$/.exec(size) ?? []
  return times === undefined ? undefined : Number(times === '' ? 1 : times) * 4
}

function rowsOf(table: string): readonly (readonly string[])[] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
}
