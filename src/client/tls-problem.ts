import { refuse } from '../core/base/refuse.ts'
import type { UserError } from '../core/base/problem.ts'

/** What a system call or OpenSSL says. */
export interface Coded {
  readonly code: string
  /** Those that a certificate holds, where one came. */
  readonly names: string | undefined
}

const UNTRUSTED = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
])

const NO_TLS = new Set([
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_SSL_PACKET_LENGTH_TOO_LONG',
  'ERR_SSL_HTTP_REQUEST',
  'EPROTO',
])

/** Why TLS with the control plane did not come about, and what to do; undefined: TLS is not at fault. */
export function tlsProblem(url: string, cause: Coded | undefined): UserError | undefined {
  if (cause === undefined) return undefined
  const told = wordsOf(url, cause)
  return told && refuse('CONTROL_PLANE_UNREACHABLE', ...told)
}

function wordsOf(url: string, { code, names }: Coded): readonly [string, string] | undefined {
  if (UNTRUSTED.has(code)) {
    return [
      `The certificate at ${url} is not signed by an authority that is trusted here (${code}).`,
      'Get the certificate from its operator, by a way that you trust, and give it: --ca FILE, BERTH_CA=FILE, or once: berth login URL --ca FILE.',
    ]
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return [
      `The certificate at ${url} is for other names than that${names === undefined ? '' : `: ${names}`}.`,
      'Use one of these names in the address, or have a certificate made for the name that you use.',
    ]
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return [
      `The certificate at ${url} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}.`,
      'Its operator replaces the files of --tls-cert and --tls-key, without a restart. If it is in order, the clock of this machine is wrong.',
    ]
  }
  if (NO_TLS.has(code)) {
    return [
      `What answers at ${url} does not speak TLS (${code}).`,
      'If it is a control plane on this machine, write http:// instead of https://; otherwise check the address and the port.',
    ]
  }
  return undefined
}
