import type { ErrorDoc } from '../core/base/error-doc.ts'

/** Errors of changes to the platform: providers, policies, projects, secrets. `status` is the HTTP status. */
export const PLATFORM_ERRORS = {
  NAME_OF_FILE: {
    status: 409,
    title: 'defined in the infrastructure file',
    why: 'The infrastructure file that the control plane was started with defines this name. With a second definition it would be unclear which one counts.',
    fix: 'Change it in the infrastructure file, or choose another name.',
  },
  SECRET_MISSING: {
    status: 409,
    title: 'secret is not set',
    why: 'The manifest or a provider names a secret that its project does not have, or that can no longer be decrypted with the key of this installation.',
    fix: 'Set it with `berth secret set NAME`; the value is read from standard input or a file.',
  },
  SECRET_UNREAD: {
    status: 503,
    title: 'secrets cannot be read now',
    why: 'The store did not answer when Berth read the secrets of a workload, so nothing was launched.',
    fix: 'Berth tries again by itself. If it keeps failing, check the log of the control plane and its store.',
  },
  SECRET_RESERVED: {
    status: 403,
    title: 'secret belongs to the platform',
    why: 'Older versions kept provider credentials among the secrets of the project `default`. Reading or replacing one gives the powers of the platform, so until it is moved only administrators of all projects may use the name, and no workload may.',
    fix: 'Use another name. An administrator of all projects can move the credential with `berth secret set NAME --platform --move`.',
  },
  SECRET_IN_USE: {
    status: 409,
    title: 'secret is in use',
    why: 'A provider, or a workload that is not stopped, names this secret and could not start again without it.',
    fix: 'Stop what the message names, or apply it without the secret; then remove the secret. To change the value, just set it again.',
  },
  SECRET_UNFIT: {
    status: 422,
    title: 'value cannot be a secret',
    why: 'A value must have at least 4 characters, because a shorter one occurs by chance and cannot be masked in logs. It must be at most 64 KB, and an environment variable cannot hold a zero byte.',
    fix: 'Use a longer value, or keep the file in storage and only its key as a secret.',
  },
  POLICY_IN_USE: {
    status: 409,
    title: 'policy is in use',
    why: 'A workload names this policy and could not be placed again without it.',
    fix: 'Apply the workloads that the message names with another policy, then remove it.',
  },
  POLICY_NOT_FOR_PROJECT: {
    status: 403,
    title: 'policy is not for this project',
    why: 'The project lists the policies that its manifests may name, and this is not one of them. Work already placed under it is not affected.',
    fix: 'Name a policy that the message lists, or ask an administrator: `berth project set NAME --policy ...`.',
  },
  NO_PROVIDER_FOR_PROJECT: {
    status: 403,
    title: 'no provider that the project may use',
    why: 'The project may use none of the providers that the policy allows: they are not in the list of the project, or their programs run as Berth’s own user, which can read every token and secret, and the project has no permission for that.',
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
    why: 'Each kind of provider has its own settings and refuses unknown ones.',
    fix: 'The message names the setting and what it must be.',
  },
  PROVIDER_IN_USE: {
    status: 409,
    title: 'provider is in use',
    why: 'Something runs there, or may. With another kind, other settings or another credential Berth could no longer see it, and it would keep costing money.',
    fix: 'Drain it first with `berth drain NAME`, or add the changed provider under another name.',
  },
  PROVIDER_LEAVING: {
    status: 409,
    title: 'provider is being removed',
    why: 'A provider that is being removed takes no new work and cannot be changed. It is gone once nothing runs there.',
    fix: 'Wait until `berth provider ls` no longer lists it, then add it again.',
  },
  KEY_NOT_SHARED: {
    status: 409,
    title: 'control plane lacks the new key',
    why: 'Several control planes use one database, and at least one of them did not find the new key in its key file. It could not decrypt a secret that is encrypted with that key, so no secret was encrypted with it.',
    fix: 'Copy the key file that has the new key to every control plane, or give all of them the same file with `--vault-key`; then run `berth secret rotate` again. It goes on with the same key.',
  },
  VAULT_KEY_UNFIT: {
    status: 500,
    title: 'key file cannot be used',
    why: 'The key that encrypts secrets is in a file of its own. Other users can read that file, it is damaged or cannot be written, or another process is changing it.',
    fix: 'Make the file owned by the user who runs the control plane, with `chmod 600 FILE`; restore a damaged one from a backup. Without the key no secret can be decrypted.',
  },
} as const satisfies Record<string, ErrorDoc & { readonly status: number }>
