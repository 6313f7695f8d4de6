import type { RowKind } from '../rows.ts'
import type { RowFormat } from './format.ts'
import { marketFormat } from './market.ts'
import { placementFormat } from './placement.ts'
import {
  billFormat,
  policyFormat,
  projectFormat,
  providerFormat,
  refusalFormat,
  requestFormat,
  secretFormat,
  settingFormat,
  templateFormat,
  tokenFormat,
} from './platform.ts'
import { statusFormat } from './status.ts'
import { workloadFormat } from './workload.ts'

/** How the rows of each kind are written down. */
export const ROW_FORMATS: Readonly<Record<RowKind, RowFormat>> = {
  workload: workloadFormat,
  status: statusFormat,
  placement: placementFormat,
  refusal: refusalFormat,
  bill: billFormat,
  market: marketFormat,
  project: projectFormat,
  provider: providerFormat,
  policy: policyFormat,
  token: tokenFormat,
  secret: secretFormat,
  template: templateFormat,
  request: requestFormat,
  setting: settingFormat,
}
