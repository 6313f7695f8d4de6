/** Who makes an accelerator; decides which software stack it runs (CUDA, ROCm, SynapseAI, XLA, Neuron, QAIC). */
export type Vendor = 'nvidia' | 'amd' | 'intel' | 'google' | 'aws' | 'qualcomm'

/** Instruction set of the machine around the card: an image must be built for it. */
export type HostArch = 'amd64' | 'arm64'

/**
 * One accelerator as it is sold. Undefined means unknown, and unknown is never read as "fine".
 * `unverified` names the fields nobody has confirmed against the vendor.
 */
export interface GpuModel {
  /** Stable id, e.g. `h100-sxm`. */
  readonly id: string
  /**
   * Models that differ in nothing but form factor share a family (`h100-80`: SXM and PCIe). When a source does not
   * say which one it sells, the offer carries the family id and whatever differs is unknown.
   */
  readonly family: string
  readonly vendor: Vendor
  /** As people write it: `H100 SXM 80 GB`. */
  readonly name: string
  /** Lower case: `hopper`, `blackwell`, `blackwell-rtx`, `cdna3`, `tpu`, ... One arch is a set of targets, see arch.ts. */
  readonly arch: string
  /** What binaries are built for: NVIDIA compute capability `9.0`, AMD `gfx942`, otherwise the vendor's word. */
  readonly target: string | undefined
  readonly form: 'sxm' | 'pcie' | 'nvl' | 'oam' | 'superchip' | 'chip' | undefined
  /** The size on the box, in the vendor's GB; `min_vram: 80Gi` is compared with this. */
  readonly vramGib: number
  /** What the driver reports, in MiB; `min_usable_vram` is compared with this. */
  readonly vramMib: number | undefined
  /** Other per-card sizes (MiB) that honest sources print for this very card. */
  readonly vramMibSeen: readonly number[]
  readonly memoryGbps: number | undefined
  readonly fp16Tflops: number | undefined
  /**
   * How cards of this model can be joined: `nvlink` always when two sit in one machine; `bridge` only if somebody
   * plugged a bridge in (so: unknown unless the source says); `none` never, PCIe only.
   */
  readonly link: 'nvlink' | 'bridge' | 'none'
  readonly linkGbps: number | undefined
  /** A machine with at least this many of them has a switch that joins all at full speed; undefined: never or unknown. */
  readonly switchFrom: number | undefined
  readonly mig: readonly MigProfile[]
  /** Oldest NVIDIA driver that knows the card, e.g. `525.53`. */
  readonly driverMin: string | undefined
  /** Last driver branch that supports it, e.g. `580`. */
  readonly driverMax: string | undefined
  readonly cudaMin: string | undefined
  /** Last CUDA major.minor or major (`12`) that supports it. */
  readonly cudaMax: string | undefined
  /** Set when the card only exists beside one kind of host (superchips, T4G). */
  readonly hostArch: HostArch | undefined
  readonly pcieGen: number | undefined
  /** Every other way people and providers write the name; compared after normalisation. */
  readonly aliases: readonly string[]
  /**
   * `provider:instance` patterns that are known to carry this very model: `aws:p5.48xlarge=8` with its cards, or
   * `aws:g6f.large=1/8` with its part of one. `*` matches anything, `#` a number, which is the number of cards. A bare
   * `gcp:*` says that all the provider has under this card's name is this model.
   */
  readonly soldAs: readonly string[]
  readonly unverified: readonly string[]
}

/** A slice a card can be cut into. */
export interface MigProfile {
  /** `1g.10gb` */
  readonly name: string
  /** Nominal memory of the slice in the vendor's GB. */
  readonly gib: number
  /** How many of it fit on one card. */
  readonly max: number
}

/** Part of a card: a MIG slice, or a fraction that the provider enforces by other means (vGPU, time slices). */
export interface Slice {
  readonly kind: 'mig' | 'share'
  /** MIG profile name, where known. */
  readonly profile: string | undefined
  /** Nominal memory of the part. */
  readonly gib: number
}

/** What else is known about a name that has to be resolved. */
export interface GpuHints {
  readonly provider?: string
  /** The provider's name of the machine, which often tells SXM from PCIe. */
  readonly instance?: string
  /** Cards in the machine. */
  readonly count?: number
  /** Memory of one card in MiB, when the source states it and the unit is beyond doubt. */
  readonly vramMib?: number
}

/** The answer of `resolveGpu`. It never guesses. */
export type Resolution =
  | {
      readonly kind: 'gpu'
      readonly gpu: GpuModel
      readonly slice: Slice | undefined
      /** Set when the text itself says that the cards are bridged (`A100-80G-PCIe-NVLink`). */
      readonly linked: boolean
    }
  | {
      readonly kind: 'ambiguous'
      readonly candidates: readonly GpuModel[]
      readonly slice: Slice | undefined
      readonly linked: boolean
    }
  | { readonly kind: 'unknown' }
