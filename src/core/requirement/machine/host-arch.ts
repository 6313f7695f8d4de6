import { chooses, oneOf, printChoice } from '../need/choice.ts'
import type { Filter } from '../filter/filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down hosts whose processors cannot run the image: GH200, GB200 and T4G machines are arm64. */
export const hostArch: Filter<'machine'> = {
  name: 'host-arch',
  rank: 120,
  about: 'machine',
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
  check(machine, need) {
    if (need.hostArch.not && need.hostArch.values.length === 0) return undefined
    const wanted = printChoice(need.hostArch)
    if (machine.hostArch === undefined) return unknown('HOST_ARCH_UNKNOWN', wanted)
    return chooses(need.hostArch, machine.hostArch) ? undefined : no('WRONG_HOST_ARCH', wanted, machine.hostArch)
  },
  loosen(need) {
    const both = { ...need, hostArch: oneOf(['amd64', 'arm64']) }
    return [{ key: 'resources.host_arch', from: printChoice(need.hostArch), to: '[amd64, arm64]', need: both }]
  },
}
