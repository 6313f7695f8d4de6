import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IS_WHOLE } from '../../core/base/laws.suite.ts'
import { modelFacts } from '../../core/hardware/family.ts'
import { summarise } from '../../core/offer/audit/summary.ts'
import type { RowVerdict } from '../../core/offer/offer.ts'
import type { CatalogFile } from './skypilot.ts'
import { importSkypilot } from './skypilot.ts'

const FOLDER = join(process.env['BERTH_DATA'] ?? join(import.meta.dirname, '../../../../shared/data'), 'catalog')

/** Rows that were read beside their lines in the files and found right; every cloud and every trap is among them. */
const CHECKED_BY_EYE: readonly string[] = [
  'aws 35894 A100-80GB: 8 × a100-80-sxm nvswitch | resolved | 32.93646 / 32.9365 | p4de.24xlarge',
  'aws 35865 A100: 8 × a100-40-sxm nvswitch | resolved | 30.41028 / 12.8588 | p4d.24xlarge',
  'aws 36013 B300: 8 × b300-sxm nvswitch | resolved | 142.416 / 50.3723 | p6-b300.48xlarge',
  'aws 35918 H100: 8 × h100-sxm nvswitch | resolved | 66.048 / 17.9585 | p5.48xlarge',
  'aws 35973 H200: 8 × h200-sxm nvswitch | resolved | - / 16.7748 | p5e.48xlarge',
  'aws 35974 H200: - | quarantined PRICE_MISSING | - / - | p5e.48xlarge',
  'aws 21303 Inferentia2: 6 × inferentia2 pcie | repaired VRAM_MISSING | 8.43782 / 1.412 | inf2.24xlarge',
  'aws 21110 Inferentia: 16 × inferentia pcie | repaired VRAM_MISSING | 7.274 / 0.7274 | inf1.24xlarge',
  'aws 15645 L40S: 4 × l40s pcie | resolved | 12.90014 / 3.7542 | g6e.12xlarge',
  'aws 15900 L4: 1 × l4 (share 12) pcie | resolved | 1.16812 / 0.2429 | g6f.4xlarge',
  'aws 15931 L4: 1 × l4 (share 3) pcie | resolved | 0.24838 / 0.0359 | g6f.large',
  'aws 15869 L4: 1 × l4 (share 6) pcie | resolved | 0.58406 / 0.1741 | g6f.2xlarge',
  'aws 14330 Qualcomm AI100: 8 × qualcomm-ai100 pcie | repaired VRAM_MISSING | 8.9194 / 5.6246 | dl2q.24xlarge',
  'aws 16071 RTX PRO Server 6000: 2 × rtx-pro-6000-server pcie | resolved | 10.1873 / 10.1873 | g7e.12xlarge',
  'aws 14378 Radeon Pro V520: 4 × radeon-pro-v520 pcie | resolved | 3.872 / 0.4489 | g4ad.16xlarge',
  'aws 15234 T4g: 2 × t4g pcie | resolved | 3.3752 / 0.3762 | g5g.16xlarge',
  'aws 51399 Trainium: 1 × trainium pcie | repaired VRAM_MISSING | 1.34375 / 0.2566 | trn1.2xlarge',
  'aws 51401 Trainium: - | quarantined PRICE_MISSING | - / - | trn1.32xlarge',
  'aws 35858 V100-32GB: 8 × v100-32-sxm nvlink | resolved | 31.212 / 4.5784 | p3dn.24xlarge',
  'aws 14334 Virtex UltraScale+ (VU47P): - | quarantined NAME_UNKNOWN | 4.356 / - | f2.12xlarge',
  'azure 5787 A100-80GB: 1 × a100-80-pcie pcie | repaired VRAM_MISSING | 4.408 / 0.57304 | Standard_NC24ads_A100_v4',
  'azure 5877 A100-80GB: 8 × a100-80-sxm nvswitch | repaired VRAM_MISSING | 32.77 / 3.6047 | Standard_ND96amsr_A100_v4',
  'azure 5880 A100: 8 × a100-40-sxm nvswitch | repaired VRAM_MISSING | 27.197 / 2.99167 | Standard_ND96asr_v4',
  'azure 5816 H100: 1 × h100-nvl pcie | repaired VRAM_MISSING NAME_CORRECTED | 6.98 / 6.98 | Standard_NC40ads_H100_v5',
  'azure 5883 H100: 8 × h100-sxm nvswitch | repaired VRAM_MISSING COUNT_CORRECTED | 98.32 / 98.32 | Standard_ND96isr_H100_v5',
  'azure 5771 K80: 2 × k80 pcie | repaired VRAM_MISSING | 0.36 / - | Standard_NC12_Promo',
  'azure 5902 M60: 1 × m60 pcie | repaired VRAM_MISSING | 1.368 / 0.15048 | Standard_NV12s_v3',
  'azure 5949 Radeon MI25: 1 × mi25 (share 2) pcie | repaired VRAM_MISSING COUNT_CORRECTED | 0.28 / 0.0308 | Standard_NV4as_v4',
  'azure 5909 Radeon MI25: 1 × mi25 (share 8) pcie | repaired VRAM_MISSING COUNT_CORRECTED | 1.118 / 0.12298 | Standard_NV16as_v4',
  'azure 5966 Radeon MI25: - | quarantined PRICE_MISSING | - / - | Standard_NV8as_v4',
  'azure 5766 V100: 2 × v100-16-pcie pcie | repaired VRAM_MISSING | 6.732 / 0.777546 | Standard_NC12s_v3',
  'cudo 11 A100: 2 × a100-80-pcie ? | repaired NAME_CORRECTED | 3.2352 / - | epyc-genoa-a100-pcie_2x16v32gb',
  'cudo 13 H100-SXM: 2 × h100-sxm nvlink | resolved | 3.8312 / - | sapphire-rapids-h100_2x16v32gb',
  'do 45 H100: 8 × h100-sxm nvswitch | resolved | 47.6 / - | gpu-h100x8-640gb',
  'fluidstack 2 H100-NVLINK: 8 × h100-80 nvlink | resolved | 23.92 / - | H100_NVLINK_80GB::8',
  'gcp 32344 A100-80GB: 1 × a100-80-sxm pcie | repaired HOST_JOINED | 5.0277 / 2.90322 | a2-ultragpu-1g',
  'gcp 32249 A100: 1 × a100-40-sxm pcie | repaired HOST_JOINED | 4.04959 / 2.42968 | a2-highgpu-1g',
  'gcp 32325 A100: - | quarantined HOST_NOT_PRICED | 49.62496 / 29.7744 | a2-megagpu-16g',
  'gcp 32372 B200: 8 × b200-sxm nvswitch | repaired HOST_JOINED | 90.216 / 43.4984 | a4-highgpu-8g',
  'gcp 32506 H100-MEGA: 8 × h100-sxm nvswitch | repaired HOST_JOINED | 115.2678 / 45.28568 | a3-megagpu-8g',
  'gcp 32402 H100: - | quarantined HOST_NOT_PRICED | 10.78698 / 2.3544 | a3-highgpu-1g',
  'gcp 32526 H200: 8 × h200-sxm nvswitch | repaired HOST_JOINED | 86.75992 / 50.38006 | a3-ultragpu-8g',
  'gcp 32533 L4: 1 × l4 pcie | repaired HOST_JOINED | 0.90771 / 0.5446 | g2-standard-4',
  'gcp 32709 P100: 1 × p100-pcie-16 pcie | repaired HOST_JOINED | 2.01801 / 0.34458 | n1-standard-8 + 1 × P100',
  'gcp 32745 P4: 1 × p4 pcie | repaired HOST_JOINED | 0.91959 / 0.16916 | n1-standard-4 + 1 × P4',
  'gcp 32797 RTXPRO6000: 1 × rtx-pro-6000-server pcie | repaired HOST_JOINED | 5.8499 / 2.2797 | g4-standard-48',
  'gcp 32861 RTXPRO6000: - | quarantined HOST_NOT_PRICED | 2.1913 / 0.9642 | g4-standard-96',
  'gcp 32968 T4: 1 × t4 pcie | repaired HOST_JOINED | 0.70584 / 0.30874 | n1-standard-4 + 1 × T4',
  'gcp 33121 V100: 1 × v100-16-sxm pcie | repaired HOST_JOINED | 2.96834 / 1.16398 | n1-standard-8 + 1 × V100',
  'gcp 33169 tpu-v2-8: 4 × tpu-v2 pcie | repaired VRAM_MISSING | 4.5 / 1.35 | tpu-v2-8',
  'gcp 33201 tpu-v4-64: 32 × tpu-v4 pcie | repaired VRAM_MISSING | 103.04 / 29.488 | tpu-v4-64',
  'gcp 33253 tpu-v5litepod-1: 1 × tpu-v5e pcie | repaired VRAM_MISSING | 1.54104 / 0.2064 | tpu-v5litepod-1',
  'gcp 33469 tpu-v5p-8: 4 × tpu-v5p pcie | repaired VRAM_MISSING | 17.01 / 3.39954 | tpu-v5p-8',
  'gcp 34614 tpu-v6e-4: - | quarantined PRICE_PLACEHOLDER | 700 / 700 | tpu-v6e-4',
  'hyperbolic 2 H100: 1 × h100-sxm pcie | resolved | 1.29 / - | 1x-H100-75-722',
  'hyperstack 6 A100-80G-PCIe-NVLink: 8 × a100-80-pcie nvlink | resolved | 11.2 / - | n3-A100x8-NVLink',
  'hyperstack 10 H100-80G-PCIe: 8 × h100-pcie ? | resolved | 15.2 / - | n3-H100x8',
  'hyperstack 13 H100-80G-SXM5: 8 × h100-sxm nvswitch | resolved | 19.2 / - | n3-H100-SXM5x8',
  'ibm 5 V100: 1 × v100-16 pcie | repaired VRAM_MISSING | 2.497 / - | gx2-8x64x1v100',
  'lambda 243 A100-80GB: 8 × a100-80-sxm nvswitch | resolved | 22.32 / - | gpu_8x_a100_80gb_sxm4',
  'lambda 141 A100: 4 × a100-40-pcie ? | resolved | 7.96 / - | gpu_4x_a100',
  'lambda 345 B200: 1 × b200-sxm pcie | resolved | 6.99 / - | gpu_1x_b200_sxm6',
  'lambda 396 GH200: 1 × gh200-96 pcie | resolved | 2.29 / - | gpu_1x_gh200',
  'lambda 260 H100: 1 × h100-pcie pcie | resolved | 3.29 / - | gpu_1x_h100_pcie',
  'lambda 209 RTX6000: 1 × quadro-rtx-6000 pcie | resolved | 0.69 / - | gpu_1x_rtx6000',
  'lambda 39 V100: 8 × v100-16-sxm nvlink | resolved | 6.32 / - | gpu_8x_v100_n',
  'mithril 7 A100: - | quarantined PRICE_PLACEHOLDER | 0.04 / 0.04 | a100-80gb.sxm.4x',
  'mithril 2 H100: 8 × h100-sxm nvswitch | resolved | 8 / 8 | h100-80gb.sxm.8x',
  'nebius 87 B300: 8 × b300-sxm nvswitch | resolved | 62.8 / 34.4 | gpu-b300-sxm_8gpu-192vcpu-2768gb',
  'nebius 93 RTX6000: 8 × rtx-pro-6000-server pcie | repaired NAME_CORRECTED | 14.4 / 7.6 | gpu-rtx6000_8gpu-192vcpu-1744gb',
  'oci 245 A100: 8 × a100-40-sxm nvswitch | resolved | 24.4 / - | BM.GPU4.8',
  'oci 116 P100: 2 × p100-16 ? | resolved | 2.55 / - | BM.GPU2.2',
  'ovhcloud 19 V100-32GB: 1 × v100s-32-pcie pcie | resolved | 2.19 / - | t2-45',
  'paperspace 3 H100: 8 × h100-80 ? | repaired VRAM_MISSING | 47.6 / - | H100x8',
  'paperspace 6 V100-32GB: 4 × v100-32 ? | repaired VRAM_MISSING | 9.2 / - | V100-32Gx4',
  'primeintellect 10 A100-80GB: 2 × a100-80-pcie ? | repaired VRAM_TOTAL_AS_CARD | 2.9455 / - | oblivus__2xA100_80GB__60__240',
  'primeintellect 101 A6000: 1 × rtx-a6000 pcie | resolved | - / 0.12 | datacrunch__1xA6000_48GB__10__60__SPOT',
  'primeintellect 71 L40: - | quarantined NAME_AMBIGUOUS | 6.97 / - | latitude__8xL40_48GB__128__1536',
  'primeintellect 110 V100: 4 × v100-16 ? | repaired VRAM_TOTAL_AS_CARD | - / 0.2 | datacrunch__4xV100_16GB__20__90__SPOT',
  'runpod 389 A100-80GB-SXM: 1 × a100-80-sxm pcie | repaired VRAM_GB_AS_MIB | 1.59 / 1.59 | 1x_A100-80GB-SXM_SECURE',
  'runpod 2069 H100-NVL: 10 × h100-nvl ? | repaired VRAM_GB_AS_MIB | 31.9 / 31.9 | 10x_H100-NVL_SECURE',
  'runpod 5045 PRO-6000-MIG-24GB: 1 × rtx-pro-6000-server (1g.24gb 24) pcie | repaired VRAM_GB_AS_MIB | 0.59 / 0.59 | 1x_PRO-6000-MIG-24GB_SECURE',
  'runpod 4661 MI300X: 1 × mi300x pcie | repaired VRAM_GB_AS_MIB | 2.39 / 2.39 | 1x_MI300X_SECURE',
  'runpod 10181 RTXPRO4500-SE: 1 × rtx-pro-4500-server pcie | repaired VRAM_GB_AS_MIB | 0.72 / 0.72 | 1x_RTXPRO4500-SE_SECURE',
  'scaleway 6 P100: 1 × p100-pcie-16 pcie | resolved | 1.2426 / - | RENDER-S',
  'scp 74 A100-80GB: 8 × a100-80 ? | resolved | 17.28 / - | g1v128a8',
  'seeweb 11 A100: 1 × a100-80 pcie | repaired NAME_CORRECTED | 0.99 / - | ECS1GPU3',
  'seeweb 48 RTX PRO 6000 96GB: 8 × rtx-pro-6000 pcie | repaired VRAM_MISSING | 10 / - | ECS4GPU12',
  'shadeform 45 A100: 8 × a100-40 ? | repaired VRAM_GB_AS_MIB | 15.92 / - | lambdalabs_A100x8',
  'shadeform 77 GH200: 1 × gh200-96 pcie | repaired VRAM_GB_AS_MIB | 2.29 / - | lambdalabs_GH200',
  'shadeform 59 H200: 8 × h200-141 ? | repaired VRAM_GB_AS_MIB | 25.6 / - | excesssupply_H200x8',
  'vast 41 A100: 2 × a100-40-sxm nvlink | repaired VRAM_TOTAL_AS_CARD | 1.87 / - | 2x-A100_SXM4-32-65536',
  'vast 33 A100: 1 × a100-80-sxm pcie | repaired NAME_CORRECTED | 0.93 / - | 1x-A100_SXM4-32-65536',
  'vast 22 H100: 1 × h100-nvl pcie | repaired NAME_CORRECTED | 1.98 / - | 1x-H100_NVL-32-65536',
  'vast 65 RTX3060: 1 × rtx-3060-ti pcie | repaired NAME_CORRECTED | 0.16 / - | 1x-RTX_3060_Ti-32-65536',
  'vast 56 RTX4060: 4 × rtx-4060-ti-16 pcie | repaired VRAM_TOTAL_AS_CARD NAME_CORRECTED | 0.29 / - | 4x-RTX_4060_Ti-32-65536',
  'vast 55 RTX4070: 4 × rtx-4070-ti-super pcie | repaired VRAM_TOTAL_AS_CARD NAME_CORRECTED | 0.77 / - | 4x-RTX_4070S_Ti-32-65536',
  'verda 6 H100: 4 × h100-sxm nvlink | resolved | 13 / - | 4H100.80S.176V',
  'verda 25 RTX-PRO-6000-CC: 1 × rtx-pro-6000-server pcie | resolved | - / 0.9639 | 1RTXPRO6000.30V.CC',
  'yotta 5 RTX5090: 8 × rtx-5090 pcie | resolved | 5.2 / - | 8x_112c_952g_RTX5090',
]

/** Rows of hosts whose cards are priced elsewhere. */
const HOSTS_CHECKED_BY_EYE: readonly string[] = [
  'gcp 5 a2-highgpu-1g: - | quarantined NOT_SOLD_ALONE | 0.94803 / 0.56878 | a2-highgpu-1g',
  'gcp 308 a4-highgpu-8g: - | quarantined NOT_SOLD_ALONE | - / - | a4-highgpu-8g',
  'gcp 14485 g2-standard-12: 1 × l4 pcie | repaired GPU_JOINED | 1.28473 / 0.77079 | g2-standard-12',
  'gcp 14749 g2-standard-8: 1 × l4 pcie | repaired GPU_JOINED | 1.09622 / 0.65769 | g2-standard-8',
  'gcp 15039 g4-standard-6: - | quarantined NOT_SOLD_ALONE | 0.54938 / 0.20874 | g4-standard-6',
]

/** A hundred thousand rows: by npm run test:all, where the lists are. */
const IS_READ = IS_WHOLE && existsSync(FOLDER)

describe.runIf(IS_READ)('the 24 real catalogues', () => {
  const files = IS_READ ? readFiles() : []
  const { rows } = importSkypilot(files)

  test('give every row one verdict, with these counts', () => {
    const { by_source: bySource, ...totals } = summarise(rows)
    expect(Object.keys(bySource)).toHaveLength(24)
    expect(totals).toEqual({
      rows: 112_207,
      accelerator_rows: 18_152,
      resolved: 3401,
      repaired: 14_635,
      quarantined: 116,
      repairs: {
        COUNT_CORRECTED: 21,
        HOST_JOINED: 885,
        NAME_CORRECTED: 32,
        VRAM_GB_AS_MIB: 11_483,
        VRAM_MISSING: 2120,
        VRAM_TOTAL_AS_CARD: 126,
      },
      quarantines: {
        HOST_NOT_PRICED: 35,
        NAME_AMBIGUOUS: 1,
        NAME_UNKNOWN: 44,
        PRICE_MISSING: 8,
        PRICE_PLACEHOLDER: 28,
      },
      other: {
        rows: 94_055,
        resolved: 92_921,
        repaired: 176,
        quarantined: 958,
        repairs: { GPU_JOINED: 176 },
        quarantines: { NOT_SOLD_ALONE: 775, PRICE_MISSING: 183 },
      },
    })
  })

  test('give these verdicts on a hundred rows that were checked by eye', () => {
    expect(CHECKED_BY_EYE).toHaveLength(100)
    const byLine = new Map(rows.map((row) => [`${row.source} ${row.line}`, row]))
    const found = [...CHECKED_BY_EYE, ...HOSTS_CHECKED_BY_EYE].map((line) => {
      const [cloud, number] = line.split(' ')
      return brief(byLine.get(`${cloud}/vms.csv ${number}`))
    })
    expect(found).toEqual([...CHECKED_BY_EYE, ...HOSTS_CHECKED_BY_EYE])
  })

  test('leave no healthy row whose memory is more than 5 % away from that of its card', () => {
    const lines = new Map(files.map(({ cloud, text }) => [`${cloud}/vms.csv`, text.split(/\r?\n/)]))
    const healthy = rows.filter((row) => row.accelerator && row.verdict !== 'quarantined')
    const off = healthy.filter((row) => !isHonest(row, lines.get(row.source)?.[row.line - 1] ?? ''))
    expect(healthy).toHaveLength(18_036)
    expect(off.map((row) => brief(row))).toEqual([])
  })

  test('have a host architecture for every row with an accelerator, and for all others but the Macs', () => {
    const unknown = rows.filter(({ offer }) => offer.hostArch === undefined)
    expect(unknown.filter((row) => row.accelerator)).toEqual([])
    expect(unknown.every(({ offer }) => offer.instance.startsWith('mac'))).toBe(true)
    expect(unknown).toHaveLength(110)
  })

  test('give every offer an id of its own', () => {
    expect(new Set(rows.map(({ offer }) => offer.id)).size).toBe(rows.length)
  })

  test('give the same offers when every file is turned upside down', () => {
    const turned = importSkypilot(files.map(({ cloud, text }) => ({ cloud, text: upsideDown(text) })))
    const [before, after] = [offersOf(rows), offersOf(turned.rows)]
    expect(after.size).toBe(before.size)
    expect([...before].filter(([id, offer]) => after.get(id) !== offer)).toEqual([])
  })
})

function readFiles(): readonly CatalogFile[] {
  return readdirSync(FOLDER).map((cloud) => ({ cloud, text: readFileSync(join(FOLDER, cloud, 'vms.csv'), 'utf8') }))
}

/** `gcp 32533 L4: 1 × l4 pcie | repaired HOST_JOINED | 0.90771 / 0.5446 | g2-standard-4` */
function brief(row: RowVerdict | undefined): string {
  if (row === undefined) return 'no such row'
  const { gpu, usdPerHour, spotUsdPerHour, instance } = row.offer
  const part = gpu?.slice === undefined ? '' : ` (${gpu.slice.profile ?? gpu.slice.kind} ${gpu.slice.gib})`
  const cards = gpu === undefined ? '-' : `${gpu.count} × ${gpu.model}${part} ${gpu.link ?? '?'}`
  const codes = [row.verdict, ...(row.quarantine === undefined ? row.repairs : [row.quarantine])].join(' ')
  const prices = `${usdPerHour ?? '-'} / ${spotUsdPerHour ?? '-'}`
  return `${row.source.replace('/vms.csv', '')} ${row.line} ${row.named}: ${cards} | ${codes} | ${prices} | ${instance}`
}

/** Reads the number out of the line itself, by other means than the catalogue, in the one way its repairs admit. */
function isHonest({ repairs, offer }: RowVerdict, line: string): boolean {
  const stated = Number(/SizeInMiB['"]+: ?([\d.]+)/.exec(line)?.[1] ?? 0)
  if (stated === 0) return repairs.includes('VRAM_MISSING')
  if (offer.gpu === undefined) return false
  const { model, slice, count } = offer.gpu
  const nominalGb = slice?.gib ?? modelFacts(model)?.vramGib ?? 0
  const each = repairs.includes('VRAM_TOTAL_AS_CARD') ? stated / count : stated
  const readings = repairs.includes('VRAM_GB_AS_MIB') ? [each] : [each / 1024, (each * 2 ** 20) / 1e9]
  return readings.some((gb) => Math.abs(gb - nominalGb) <= nominalGb * 0.05)
}

function offersOf(rows: readonly RowVerdict[]): ReadonlyMap<string, string> {
  return new Map(rows.map(({ offer }) => [offer.id, JSON.stringify(offer)]))
}

function upsideDown(text: string): string {
  const [header = '', ...lines] = text.split(/\r?\n/)
  return [header, ...lines.toReversed()].join('\n')
}
