import type { NoLogs } from '../../../ports/provider.ts'

/** Clouds of virtual machines know nothing of the containers on them. */
export function noLogsOfVm(cloud: string): NoLogs {
  return {
    why: `the API of ${cloud} has no logs of what runs on a machine.`,
    instead:
      'Log in to {instance} with the SSH key of the account and run `docker ps` and `docker logs`, or have the workload send its output elsewhere.',
  }
}
