import { refuse } from '../core/base/refuse.ts'
import type { UserError } from '../core/base/problem.ts'

/** An error code from a system call or OpenSSL. */
export interface Coded {
  readonly code: string
  /** The names in the certificate, if there is one. */
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

/** Why the TLS connection to the control plane failed, and what to do; undefined: TLS is not at fault. */
export function tlsProblem(url: string, cause: Coded | undefined): UserError | undefined {
  if (cause === undefined) return undefined
  const told = wordsOf(url, cause)
  return told && refuse('CONTROL_PLANE_UNREACHABLE', ...told)
}

function wordsOf(url: string, { code, names }: Coded): readonly [string, string] | undefined {
  if (UNTRUSTED.has(code)) {
    return [
      `The certificate at ${url} is not signed by a trusted authority (${code}).`,
      'Get the certificate from its operator in a way that you trust, and pass it with --ca FILE or BERTH_CA=FILE, or once with berth login URL --ca FILE.',
    ]
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return [
      `The certificate at ${url} is for other names${names === undefined ? '' : `: ${names}`}.`,
      'Use one of these names in the address, or get a certificate for the name that you use.',
    ]
  }
  if (code === 'CERT_HAS_EXPIRED' || code === 'CERT_NOT_YET_VALID') {
    return [
      `The certificate at ${url} ${code === 'CERT_HAS_EXPIRED' ? 'has expired' : 'is not valid yet'}.`,
      'Its operator can replace the files of --tls-cert and --tls-key without a restart. If the certificate is valid, check the clock of this machine.',
    ]
  }
  if (NO_TLS.has(code)) {
    return [
      `The server at ${url} does not speak TLS (${code}).`,
      'If it is a control plane on this machine, write http:// instead of https://; otherwise check the address and the port.',
    ]
  }
  return undefined
}
