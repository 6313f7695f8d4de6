import type { NodeObject } from '../object/node-object.ts'
import { dashed, isTrouble } from './taints.ts'

/** Labels and annotations by which monitors and operators say that a node is out of order or about to be. */
export function* troubleMarks({ labels, annotations }: NodeObject): Iterable<string> {
  const isSkipped = labels.get(DRIVER_SKIPPED) === 'true'
  for (const [key, value] of labels) if (saysTrouble(key, value, isSkipped)) yield `Label ${key} is ${value}.`
  for (const [key, value] of annotations)
    if (QUARANTINE.test(key) && !/^(false|\[\]|\{\})$/i.test(value)) yield `Annotation ${key} says that it is sick.`
}

/** Labels after which it is not known whether its cards can be used. */
export function* unsureMarks({ labels, annotations }: NodeObject): Iterable<string> {
  const machine = annotations.get(MACHINE_STATE)
  if (machine !== undefined && machine !== 'Done')
    yield `Its settings are being changed (${MACHINE_STATE} is ${machine}).`
  const state = labels.get(MIG_STATE)
  if (state === 'failed') yield `Cutting its cards has failed (${MIG_STATE}).`
}

/** OpenShift drains and restarts nodes to change their settings. */
const MACHINE_STATE = 'machineconfiguration.openshift.io/state'

const MIG_STATE = 'nvidia.com/mig.config.state'

function saysTrouble(key: string, value: string, isSkipped: boolean): boolean {
  if (key === MIG_STATE) return false
  if (key === DRIVER_STATE) return !isSkipped && !AT_WORK.has(value)
  if (key === PLUGIN) return value.startsWith('paused')
  const name = dashed(key)
  if (FAULT.test(name)) return !/^(none|no|false|0)$/i.test(value)
  if (TROUBLE_ITSELF.test(name)) return /^(true|yes|1|active|ongoing|in-?progress)$/i.test(value)
  if (!STATE.test(name) || !SUBJECT.test(name)) return false
  return isTrouble(value) || (/(^|-)health(y)?$/.test(name) && /^(false|no)$/i.test(value))
}

/** Set while the driver is changed, node by node. */
const DRIVER_STATE = 'nvidia.com/gpu-driver-upgrade-state'

/** The operator leaves such a node alone, whatever state it left behind. */
const DRIVER_SKIPPED = 'nvidia.com/gpu-driver-upgrade.skip'

/** A node that waits for its turn works as before. */
const AT_WORK: ReadonlySet<string> = new Set(['unknown', 'upgrade-required', 'upgrade-done'])

/** Says `paused-for-driver-upgrade` while the device plugin is taken off the node. */
const PLUGIN = 'nvidia.com/gpu.deploy.device-plugin'

/** What a failed check found. */
const FAULT = /(^|-)fault-(types?|reasons?|code)$/
const TROUBLE_ITSELF = /(^|-)(maintenance|quarantined?|cordoned|draining|unhealthy|broken|faulty|remediation-required)$/
const STATE = /(^|-)(health|healthy|state|status|condition)$/
const SUBJECT =
  /(^|-)(gpus?|nvidia|nvsentinel|amd|node|machine|host|hardware|device|accelerators?|xid|npu|tpu|neuron|health)(-|$)/

/** Written by a monitor that takes nodes with sick cards out of use. */
const QUARANTINE = /^quarantineHealthEvent(IsCordoned)?$/
