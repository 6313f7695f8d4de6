import { spawn } from 'node:child_process'
import { basename } from 'node:path'
import * as z from 'zod'
import { KubeconfigError, type KubeAccess, type Plugin } from './kubeconfig.ts'

/** What a plugin printed. */
export interface Printed {
  readonly token: string | undefined
  readonly certificate: { readonly certificate: string; readonly key: string } | undefined
  /** Undefined: it holds until the API server refuses it. */
  readonly untilMs: number | undefined
}

export interface PluginRun {
  readonly signal: AbortSignal
  /** Programs that may be run. */
  readonly allowed: readonly string[]
  readonly deadlineMs?: number
}

const DEADLINE_MS = 20_000
const BYTES_MOST = 1024 * 1024

/**
 * Runs a plugin, without a shell and with little of this process's environment. Only programs that the provider's settings name are
 * run: a kubeconfig may come from anywhere.
 */
export async function runPlugin(plugin: Plugin, access: KubeAccess, run: PluginRun): Promise<Printed> {
  const { command } = plugin
  if (!run.allowed.includes(command)) {
    throw new KubeconfigError(
      `The kubeconfig wants to run ${command} on the host of the control plane to get a credential. If that is right, allow it with the setting plugins: [${command}].`,
    )
  }
  const text = await output(plugin, access, run)
  const printed = printedForm.safeParse(parsed(text))
  if (!printed.success) throw new KubeconfigError(`${basename(command)} printed something that is no credential.`)
  const { token, clientCertificateData: certificate, clientKeyData: key, expirationTimestamp } = printed.data.status
  const untilMs = expirationTimestamp === undefined ? undefined : Date.parse(expirationTimestamp)
  return {
    token,
    certificate: certificate === undefined || key === undefined ? undefined : { certificate, key },
    untilMs: untilMs === undefined || Number.isNaN(untilMs) ? undefined : untilMs,
  }
}

const printedForm = z.object({
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().min(1).optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
})

function output(plugin: Plugin, access: KubeAccess, { signal, deadlineMs = DEADLINE_MS }: PluginRun): Promise<string> {
  const name = basename(plugin.command)
  return new Promise((resolve, reject) => {
    const child = spawn(plugin.command, [...plugin.args], {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...passedOn(), ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(aboutCall(plugin, access)) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]),
      killSignal: 'SIGKILL',
    })
    let text = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (part: string) => {
      text += part
      if (text.length > BYTES_MOST) child.kill('SIGKILL')
    })
    child.once('error', (error) => {
      const why =
        error.name === 'AbortError' ? `did not end within ${deadlineMs / 1000} s` : `could not be run: ${error.message}`
      reject(new KubeconfigError(`${name} ${why}.`))
    })
    child.once('close', (code) => {
      if (code === 0) resolve(text)
      else reject(new KubeconfigError(`${name} ended with ${code ?? 'a signal'} and gave no credential.`))
    })
  })
}

/** Berth's own environment may hold keys: a plugin gets what it needs to find its files, and what the kubeconfig states. */
function passedOn(): Readonly<Record<string, string>> {
  const names = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

function aboutCall({ version, withCluster }: Plugin, { server, trust }: KubeAccess): object {
  const data = trust.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(trust.ca).toString('base64') }
  const cluster = { server: server.href.replace(/\/$/, ''), ...data }
  return { apiVersion: version, kind: 'ExecCredential', spec: { interactive: false, ...(withCluster && { cluster }) } }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
