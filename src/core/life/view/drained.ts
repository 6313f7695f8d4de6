import type { WorkloadView } from './view.ts'

/** A view that also names the providers being drained at which something of the workload is. */
export function withDrained(view: WorkloadView, isDraining: (provider: string) => boolean): WorkloadView {
  const there = view.slots.filter(({ phase, provider }) => phase !== 'gone' && isDraining(provider))
  const drained = [...new Set(there.map(({ provider }) => provider))]
  return drained.length === 0 ? view : { ...view, drained }
}
