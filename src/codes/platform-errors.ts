import type { ErrorDoc } from '../core/base/error-doc.ts'

/** What can be wrong with a change to the platform: providers, policies, projects, secrets. `status` is for HTTP. */
export const PLATFORM_ERRORS = {
  NAME_OF_FILE: {
    status: 409,
    title: 'defined in the infrastructure file',
    why: 'The infrastructure file that the control plane was started with defines this name. Two definitions of one name would be a guess about which one counts.',
    fix: 'Change it in the infrastructure file, or choose another name.',
  },
  SECRET_MISSING: {
    status: 409,
    title: 'secret is not set',
    why: 'The manifest or a provider names a secret that its project does not have, or that can no longer be opened with the key of this installation.',
    fix: 'Set it with `berth secret set NAME`; the value is read from standard input or a file.',
  },
  SECRET_UNREAD: {
    status: 503,
    title: 'secrets cannot be read now',
    why: 'The store did not answer when the secrets of a workload were asked for, so nothing was launched.',
    fix: 'It is tried again by itself. If it goes on, look at the log of the control plane and at its store.',
  },
  SECRET_RESERVED: {
    status: 403,
    title: 'secret belongs to the platform',
    why: 'Older versions kept the credentials of providers among the secrets of the project `default`. Whoever reads or replaces one acts as the platform, so such a name is kept from workloads, and from everybody but the administrators of all projects, until it is moved.',
    fix: 'Use another name; an administrator of all projects moves the credential with `berth secret set NAME --platform --move`.',
  },
  SECRET_IN_USE: {
    status: 409,
    title: 'secret is in use',
    why: 'A workload that is not stopped, or a provider, names this secret: it could not be started again without it.',
    fix: 'Stop what the message names, or apply it without the secret; then remove it. A new value needs no removal: set it again.',
  },
  SECRET_UNFIT: {
    status: 422,
    title: 'value cannot be a secret',
    why: 'A value under 4 characters cannot be kept out of logs, because it turns up everywhere by chance; one over 64 KB is a file; and an environment variable cannot hold a zero byte.',
    fix: 'Use a longer value, or put the file into storage and keep only its key here.',
  },
  POLICY_IN_USE: {
    status: 409,
    title: 'policy is in use',
    why: 'A workload that is not removed names this policy: its next decision could not be made without it.',
    fix: 'Apply the workloads that the message names with another policy, then remove it.',
  },
  POLICY_NOT_FOR_PROJECT: {
    status: 403,
    title: 'policy is not for this project',
    why: 'The project lists the policies that its manifests may name, and this is not one of them. What was placed under it before is left alone.',
    fix: 'Name a policy that the message lists, or ask an administrator: `berth project set NAME --policy ...`.',
  },
  NO_PROVIDER_FOR_PROJECT: {
    status: 403,
    title: 'no provider that the project may use',
    why: 'Every provider that the policy allows is one that the project may not use: it is not in the list of the project, or its programs run as Berth’s own user, who can read every token and secret, and the project was not named for that.',
    fix: 'Name another policy, or ask an administrator for `berth project set NAME --provider ...` or `--processes`, as the message says.',
  },
  PROVIDER_KIND_UNKNOWN: {
    status: 422,
    title: 'no such kind of provider',
    why: 'This version of Berth has no provider of this kind.',
    fix: 'Use one of the kinds that the message lists.',
  },
  PROVIDER_SETTINGS: {
    status: 422,
    title: 'settings do not fit the provider',
    why: 'A kind of provider has settings of its own, and refuses what it does not understand.',
    fix: 'The message names the setting and what it must be.',
  },
  PROVIDER_IN_USE: {
    status: 409,
    title: 'provider is in use',
    why: 'Something runs there, or may. With another kind, other settings or another credential Berth could no longer see it, and it would go on costing money.',
    fix: 'Drain it first with `berth drain NAME`, or add the changed one under another name.',
  },
  PROVIDER_LEAVING: {
    status: 409,
    title: 'provider is being removed',
    why: 'A provider that is being removed takes no new work and cannot be changed: it goes once nothing of it is left.',
    fix: 'Wait until `berth provider ls` no longer lists it, then add it again.',
  },
  VAULT_KEY_UNFIT: {
    status: 500,
    title: 'key file cannot be used',
    why: 'The key that seals secrets lies in a file of its own. Others can read that file, or it is damaged, or it cannot be written.',
    fix: 'Give it to the user who runs the control plane, with `chmod 600 FILE`; restore a damaged one from its backup. Without its key no secret can be opened.',
  },
} as const satisfies Record<string, ErrorDoc & { readonly status: number }>
