/** The maker of an accelerator, which determines its software stack (CUDA, ROCm, SynapseAI, XLA, Neuron, QAIC). */
export type Vendor = 'nvidia' | 'amd' | 'intel' | 'google' | 'aws' | 'qualcomm'

/** Instruction set of the machine around the card: an image must be built for it. */
export type HostArch = 'amd64' | 'arm64'

/**
 * One accelerator as it is sold. Undefined means unknown, and unknown never counts as "fine".
 * `unverified` names the fields that are not confirmed by the vendor.
 */
export interface GpuModel {
  /** Stable id, e.g. `h100-sxm`. */
  readonly id: string
  /**
   * Models that differ only in form factor share a family (`h100-80`: SXM and PCIe). When a source does not say which
   * one it sells, the offer has the id of the family, and facts that differ are unknown.
   */
  readonly family: string
  readonly vendor: Vendor
  /** As people write it: `H100 SXM 80 GB`. */
  readonly name: string
  /** Lower case: `hopper`, `blackwell`, `blackwell-rtx`, `cdna3`, `tpu`, ... An architecture is a set of targets; see arch.ts. */
  readonly arch: string
  /** The target of binaries: NVIDIA compute capability `9.0`, AMD `gfx942`, otherwise the vendor's own name. */
  readonly target: string | undefined
  readonly form: 'sxm' | 'pcie' | 'nvl' | 'oam' | 'superchip' | 'chip' | undefined
  /** The advertised size, in the vendor's GB; `min_vram: 80Gi` is compared with this. */
  readonly vramGib: number
  /** What the driver reports, in MiB; `min_usable_vram` is compared with this. */
  readonly vramMib: number | undefined
  /** Other sizes of one card (MiB) that correct sources state for this model. */
  readonly vramMibSeen: readonly number[]
  /** Bandwidth of its memory, in the vendor's GB/s. */
  readonly memoryGbps: number | undefined
  /** Dense figures of the vendor, never those with sparsity. 16 bits: FP16 or BF16, as the card has them. */
  readonly fp16Tflops: number | undefined
  readonly fp8Tflops: number | undefined
  readonly fp4Tflops: number | undefined
  /**
   * How cards of this model are joined: `nvlink` always, when a machine has two; `bridge` only where a bridge is
   * installed, which is unknown unless the source says; `none` never, PCIe only.
   */
  readonly link: 'nvlink' | 'bridge' | 'none'
  readonly linkGbps: number | undefined
  /** A machine with at least this many has a switch that joins all at full speed; undefined means never, or unknown. */
  readonly switchFrom: number | undefined
  readonly mig: readonly MigProfile[]
  /** Oldest NVIDIA driver that supports the card, e.g. `525.53`. */
  readonly driverMin: string | undefined
  /** Last driver branch that supports it, e.g. `580`. */
  readonly driverMax: string | undefined
  readonly cudaMin: string | undefined
  /** Last CUDA major.minor or major (`12`) that supports it. */
  readonly cudaMax: string | undefined
  /** Set when the card exists only with one kind of host (superchips, T4G). */
  readonly hostArch: HostArch | undefined
  readonly pcieGen: number | undefined
  /** Other spellings of the name by people and providers; compared after normalisation. */
  readonly aliases: readonly string[]
  /**
   * `provider:instance` patterns of machines that have this model: `aws:p5.48xlarge=8` with its number of cards, or
   * `aws:g6f.large=1/8` with its part of one. `*` matches any text; `#` matches a number, which is the number of cards. A
   * bare `gcp:*` says that everything the provider sells under this card's name is this model.
   */
  readonly soldAs: readonly string[]
  readonly unverified: readonly string[]
}

/** A slice that a card can be divided into. */
export interface MigProfile {
  /** `1g.10gb` */
  readonly name: string
  /** Nominal memory of the slice in the vendor's GB. */
  readonly gib: number
  /** How many of them fit on one card. */
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

/** What else is known about a name to resolve. */
export interface GpuHints {
  readonly provider?: string
  /** The provider's name for the machine, which often distinguishes SXM from PCIe. */
  readonly instance?: string
  /** Cards in the machine. */
  readonly count?: number
  /** Memory of one card in MiB, when the source states it and the unit is certain. */
  readonly vramMib?: number
}

/** The result of `resolveGpu`, which never guesses. */
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
