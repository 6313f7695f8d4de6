import type { Fault } from '../core/life/call/fault.ts'
import type { ApiReply } from '../ports/provider.ts'
import { classifyAws } from './aws/faults.ts'
import { classifyKubernetes } from './kubernetes/read/faults.ts'
import { classifyLambda } from './lambda/faults.ts'
import { classifyRunpod } from './runpod/faults.ts'
import { classifyShadeform } from './shadeform/faults.ts'
import { classifyVast } from './vast/faults.ts'
import { classifyYotta } from './yotta/faults.ts'
import { classifyDigitalocean } from './digitalocean/faults.ts'

/**
 * What a reply of an API means, by the very table that launches and all other calls of its kind use: for `berth provider
 * classify`. A kind with an API is one line here. Nothing that talks to a network is loaded for it.
 */
export const CLASSIFIERS: Readonly<Record<string, (reply: ApiReply) => Fault>> = {
  aws: classifyAws,
  kubernetes: classifyKubernetes,
  lambda: classifyLambda,
  runpod: classifyRunpod,
  shadeform: classifyShadeform,
  vast: classifyVast,
  yotta: classifyYotta,
  digitalocean: classifyDigitalocean,
}
