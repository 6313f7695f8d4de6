import { InvalidArgumentError } from 'commander'

const PORT_MAX = 65_535

/** The address that a gateway listens on, checked before anything is started. */
export function gatewayAddress(text: string): string {
  const [, port] = /^(?:\[[0-9a-f:.]+\]|[a-z0-9.-]+):(\d{1,5})$/i.exec(text) ?? []
  if (port === undefined || Number(port) < 1 || Number(port) > PORT_MAX)
    throw new InvalidArgumentError('Write a host and a port, such as 127.0.0.1:7800 or [::1]:7800.')
  return text
}
