/** The service under which the runner is started with the machine, again after a reboot. */
export function defaultUnit(program: string): string {
  const sections: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    Unit: {
      Description: 'a workload of Berth',
      After: 'docker.service network-online.target',
      Wants: 'network-online.target',
    },
    Service: { ExecStart: `/usr/bin/python3 ${program}`, Restart: 'on-failure', RestartSec: '5' },
    Install: { WantedBy: 'multi-user.target' },
  }
  return Object.entries(sections)
    .map(([name, keys]) =>
      [`[${name}]`, ...Object.entries(keys).map(([key, value]) => `${key}=${value}`), ''].join('\n'),
    )
    .join('\n')
}
