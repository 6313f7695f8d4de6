import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'cloud clouds cloud_provider cloud_providers cloud_name provider providers',
    'amazon',
    'This names one provider; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [aws] }',
  ],
  [
    'cloud',
    'my cluster',
    'This names one provider; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: ["my cluster"] }',
  ],
  [
    'cloud',
    '[aws, ec2, gcp]',
    'This names 3 providers; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [aws, gcp] }',
  ],
  [
    'provider',
    '[{ azure: { x: 1 } }]',
    'This names one provider; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [azure] }',
  ],
  [
    'backend backends',
    'vastai',
    'This names one provider; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [vast] }',
  ],
  [
    'region regions aws_region gcp_region azure_region preferred_regions data_center data_centers data_center_id data_center_ids datacenter datacenters country_code country_codes region_name',
    'eu-north1',
    "This names one provider's region; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [eu]',
  ],
  [
    'region',
    'mars',
    "This names one provider's region; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: the allowed areas',
  ],
  [
    'location locations geolocation country countries',
    'uksouth',
    "This names one provider's region; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [uk]',
  ],
  [
    'zone zones availability_zone availability_zones availability_domain az azs',
    'us-east-1a',
    "This names one provider's zone; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [us]',
  ],
  [
    'use_spot spot is_spot spot_policy spot_instance spot_instances preemptible interruptible provisioning_model capacity_type market_type purchase_option preemptibility',
    'SPOT',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
  [
    'spot',
    'on-demand',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: never',
  ],
  [
    'spot',
    '0',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: never',
  ],
  [
    'spot',
    'auto',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: allowed',
  ],
  [
    'instance_market_options spot_market_options spot_options spot_instance_request',
    '{ max_price: 1 }',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
  [
    'priority scale_set_priority',
    'Spot',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
  [
    'priority',
    'low',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: only',
  ],
  [
    'max_price max_hourly_price max_hourly_cost max_price_per_hour max_bid_price bid_price spot_price bid_per_gpu price_max max_cost_per_hour',
    '0.75',
    'This sets a price; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with max_usd_per_hour: 0.75',
  ],
  [
    'max_price',
    '$3/h',
    'This sets a price; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with max_usd_per_hour: 3',
  ],
]

describe('places, terms and prices', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
