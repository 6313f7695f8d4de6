import * as z from 'zod'
import { cloudSettings, readCloudSettings, type CloudSettings } from '../cloud/settings.ts'
import { STATUS_PORT } from '../cloud/vm/plan.ts'

export { apiKey } from '../cloud/settings.ts'

/** How Lambda is used. */
export interface LambdaSettings extends CloudSettings {
  /** Name of a key in the account: Lambda starts no machine without one. */
  readonly sshKey: string
  /** The account's firewall lets Berth and callers reach the machines. */
  readonly isInbound: boolean
  readonly statusPort: number
  readonly firewallRuleset: string | undefined
}

const KEY = 'must be the name of an SSH key in the account, which Lambda needs for every machine'

export const lambdaSettings = z
  .strictObject({
    ...cloudSettings,
    ssh_key: z.string({ error: KEY }).min(1, { error: KEY }).max(64, { error: KEY }),
    inbound: z.boolean({ error: 'must be true or false' }).default(false),
    status_port: z.int({ error: 'must be a port' }).min(1).max(65_535).default(STATUS_PORT),
    firewall_ruleset: z.string({ error: 'must be the id of a firewall ruleset' }).min(1).max(100).optional(),
  })
  .transform(({ ssh_key, inbound, status_port, firewall_ruleset, ...common }): LambdaSettings => ({
    ...readCloudSettings(common, 'https://cloud.lambda.ai'),
    sshKey: ssh_key,
    isInbound: inbound,
    statusPort: status_port,
    firewallRuleset: firewall_ruleset,
  }))
