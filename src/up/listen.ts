import type { UpFlags } from '../cli/cli.ts'
import { UserError } from '../core/base/problem.ts'

/** Whether only this machine can connect. Throws for a wider address without TLS or `--insecure-listen`. */
export function isPrivateListen({
  listen,
  insecureListen,
  tlsCert,
}: Pick<UpFlags, 'listen' | 'insecureListen' | 'tlsCert'>): boolean {
  const host = listen.replace(/:\d+$/, '').replace(/^\[|\]$/g, '')
  const isLoopback = ['', 'localhost', '::1'].includes(host) || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)
  if (isLoopback || insecureListen === true || tlsCert !== undefined) return isLoopback
  const message = `${listen} can be reached from other machines, and tokens would cross the network in clear text.`
  const hint =
    'Give --tls-cert FILE and --tls-key FILE, or listen on 127.0.0.1 behind a proxy that speaks TLS. If the network itself is trusted: --insecure-listen'
  throw new UserError([{ code: 'LISTEN_INSECURE', message, found: listen, hint }])
}
