import * as z from 'zod'
import type { HostArch } from '../../hardware/gpu.ts'
import { oneOrMore } from '../fields.ts'
import { machineKey } from '../key.ts'
import { CHOICES } from '../need/algebra.ts'
import { chooses, isAnything, oneOf, printChoice } from '../need/choice.ts'
import { no, unknown } from '../reason.ts'

const ARCHES = ['amd64', 'arm64'] as const

/** Turns down hosts whose processors cannot run the image: GH200, GB200 and T4G machines are arm64. */
export const hostArch = machineKey({
  key: 'host_arch',
  place: 60,
  schema: oneOrMore(z.enum(ARCHES)),
  notes: { description: 'Instruction sets that the image is built for.', examples: ['amd64'], default: 'amd64' },
  also: ['arch', 'architecture', 'cpu_arch', 'platform'],
  held: 'hostArch',
  row: z.array(z.enum(ARCHES)),
  read: (value) => [...new Set<HostArch>(value ?? ['amd64'])],
  slot: 'hostArch',
  set: CHOICES,
  want: oneOf,
  flag: { value: 'names', says: 'CPU architectures: amd64, arm64 (default: amd64)', type: 'list' },
  name: 'host-arch',
  rank: 120,
  reasons: {
    WRONG_HOST_ARCH: {
      summary: (reason) => `its host is not ${reason.wanted}`,
      clears: 'never',
      why: 'An image is built for one or more processor architectures, and this host has another. Without `host_arch` in the manifest, only amd64 fits.',
      fix: 'If the image is multi-arch, state it: `host_arch: [amd64, arm64]` under `resources`.',
    },
    HOST_ARCH_UNKNOWN: {
      summary: (reason) => `does not say whether its host is ${reason.wanted}`,
      clears: 'never',
      why: 'The source does not say which processors the host has.',
      fix: 'State `host_arch` in the inventory, or accept it in the policy (`unknown: { accept: [host-arch] }`).',
    },
  },
  check(wanted, machine) {
    if (isAnything(wanted)) return undefined
    const words = printChoice(wanted)
    if (machine.hostArch === undefined) return unknown('HOST_ARCH_UNKNOWN', words)
    return chooses(wanted, machine.hostArch) ? undefined : no('WRONG_HOST_ARCH', words, machine.hostArch)
  },
  loosen: (wanted) => [{ from: printChoice(wanted), to: '[amd64, arm64]', wanted: oneOf(ARCHES) }],
})
