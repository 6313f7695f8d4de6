import { readCards, saidOfCards } from './card.ts'
import { atKey, itemsIn, numberOf, textOf, valueIn } from './rule.ts'
import type { CouplingRule } from './rule.ts'

const guestAccelerator: CouplingRule = {
  keys: 'guest_accelerator guest_accelerators accelerator_config',
  read(site) {
    const [first] = itemsIn(site)
    const type = textOf(valueIn(first?.node, 'type accelerator_type'))
    const count = numberOf(valueIn(first?.node, 'count accelerator_count')) ?? 1
    if (type === undefined) return []
    return [atKey(site, saidOfCards({ ...readCards(type.slice(type.lastIndexOf('/') + 1)), count }))]
  },
}

const placementGroup: CouplingRule = {
  keys: 'placement_group placement_group_name resource_policies cluster_placement_group compute_cluster_id',
  read: (site) =>
    site.value.kind === 'scalar' && textOf(site.value) === undefined
      ? []
      : [atKey(site, { does: "asks for one provider's placement group", lines: ['topology: { within: rack }'] })],
}

const network: CouplingRule = {
  keys: `subnet_id subnet_ids subnetwork subnetworks vpc_id vpc security_group_ids vpc_security_group_ids security_groups
    network_interface network_interface_ids`,
  read: (site) => [
    atKey(site, {
      does: "names one provider's network",
      advice: 'Remove it. A service gets a stable address for its ports wherever it runs.',
    }),
  ],
}

const identity: CouplingRule = {
  keys: 'iam_instance_profile iam_role service_account_email instance_profile key_name',
  read: (site) =>
    textOf(site.value) === undefined
      ? []
      : [
          atKey(site, {
            does: 'names an identity at one provider',
            lead: 'list credentials as secrets, by name',
            lines: ['secrets: [NAME]'],
          }),
        ],
}

/** Terraform and the clouds' own templates. The shared vocabularies cover machines, regions and terms. */
export const TERRAFORM_RULES: readonly CouplingRule[] = [guestAccelerator, placementGroup, network, identity]
