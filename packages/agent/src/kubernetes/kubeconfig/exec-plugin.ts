import { spawn } from 'node:child_process'
import { besideFile, isRecord, KubeconfigError, listIn, textIn, type Entry } from './read-kubeconfig.ts'

/** An exec plugin for credentials, such as `aws eks get-token`. */
export type ExecPlugin = {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint: string
  /** The cluster data for the plugin, if the kubeconfig provides it. */
  readonly cluster: object | undefined
}

export type ExecCredential = {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
  /** Milliseconds since 1970; undefined: valid until the server answers 401. */
  readonly expiresAt?: number
}

const apiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
type ExecLimits = {
  /** A plugin that runs longer probably waits for input. */
  readonly timeoutMs: number
  /** How long to wait for output after the plugin has exited. */
  readonly graceMs: number
}

const defaultLimits: ExecLimits = { timeoutMs: 60_000, graceMs: 500 }
const outputBytesMax = 1024 ** 2
const stderrLengthMax = 300

/** The exec section of a user; undefined if there is none. */
export function execPluginOf(user: Entry, cluster: Entry): ExecPlugin | undefined {
  const section = user.fields.exec
  if (section === undefined || section === null) return undefined
  const fields = isRecord(section) ? section : {}
  const entry: Entry = { ...user, fields }
  const refuse = (why: string) => new KubeconfigError(`The exec plugin of '${user.name}' in ${user.file} ${why}.`)
  const command = textIn(entry, 'command')
  if (command === undefined) throw refuse('has no command')
  const apiVersion = textIn(entry, 'apiVersion') ?? ''
  if (!apiVersions.includes(apiVersion)) {
    throw refuse(`has the apiVersion '${apiVersion}'; supported are ${apiVersions.join(' and ')}`)
  }
  if (textIn(entry, 'interactiveMode') === 'Always') throw refuse('needs a terminal, which the agent does not have')
  return {
    apiVersion,
    // As in kubectl: a bare name is searched in PATH, and a path is relative to the kubeconfig.
    command: command.includes('/') ? besideFile(user.file, command) : command,
    args: listIn(entry, 'args'),
    env: envOf(fields.env, refuse),
    installHint: textIn(entry, 'installHint') ?? '',
    cluster: fields.provideClusterInfo === true ? clusterInfo(cluster) : undefined,
  }
}

/** Runs the plugin once. The error message states the cause, and the install hint if the program is missing. */
export async function runExecPlugin(
  plugin: ExecPlugin,
  env: Readonly<Record<string, string | undefined>>,
  limits: ExecLimits = defaultLimits,
): Promise<ExecCredential> {
  const { apiVersion, cluster } = plugin
  const info = { apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...(cluster ? { cluster } : {}) } }
  const pluginEnv = { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) }
  const output = await outputOf(plugin, pluginEnv, limits)
  return credentialIn(plugin, output)
}

function outputOf(
  plugin: ExecPlugin,
  env: Record<string, string | undefined>,
  { timeoutMs, graceMs }: ExecLimits,
): Promise<string> {
  const { command, args } = plugin
  const fail = (why: string) => new Error(`The exec plugin ${command} ${why}.`)
  return new Promise((resolve, reject) => {
    // Without standard input, so a plugin that prompts reads end of file.
    const child = spawn(command, [...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    let stderr = ''
    let killedBecause: string | undefined
    const kill = (why: string) => {
      killedBecause ??= why
      child.kill('SIGKILL')
    }
    const timeout = setTimeout(() => kill(`did not exit within ${timeoutMs / 1000} s`), timeoutMs)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
      if (output.length > outputBytesMax) kill(`printed more than ${outputBytesMax} bytes`)
    })
    child.stderr
      .setEncoding('utf8')
      .on('data', (chunk: string) => (stderr = (stderr + chunk).slice(0, stderrLengthMax)))
    child.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timeout)
      reject(fail(startFailure(plugin, error)))
    })
    // `close` waits for every process that inherited the pipes. A background process of the plugin may never close
    // them.
    child.on('exit', (code, signal) => {
      clearTimeout(timeout)
      const finish = () => {
        clearTimeout(grace)
        child.stdout.destroy()
        child.stderr.destroy()
        const why = killedBecause ?? exitFailure(code, signal)
        if (why === undefined) resolve(output)
        else reject(fail(stderr.trim() === '' ? why : `${why}: ${oneLine(stderr)}`))
      }
      const grace = setTimeout(finish, graceMs)
      child.on('close', finish)
    })
  })
}

function exitFailure(code: number | null, signal: NodeJS.Signals | null): string | undefined {
  if (signal !== null) return `was stopped by ${signal}`
  return code === 0 ? undefined : `failed with exit code ${code}`
}

function startFailure({ installHint }: ExecPlugin, { code, message }: NodeJS.ErrnoException): string {
  if (code !== 'ENOENT') return `cannot be run: ${message}`
  return installHint === '' ? 'is not installed' : `is not installed. ${oneLine(installHint)}`
}

function credentialIn({ command, apiVersion }: ExecPlugin, output: string): ExecCredential {
  const fail = (why: string) => new Error(`The exec plugin ${command} ${why}.`)
  const credential = parsed(output)
  if (!isRecord(credential) || credential.kind !== 'ExecCredential') throw fail('printed no ExecCredential')
  if (credential.apiVersion !== apiVersion) {
    throw fail(`returned the apiVersion '${String(credential.apiVersion)}' instead of '${apiVersion}'`)
  }
  const status = isRecord(credential.status) ? credential.status : {}
  const text = (field: string) => {
    const value = status[field]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [token, cert, key] = [text('token'), text('clientCertificateData'), text('clientKeyData')]
  if ((cert === undefined) !== (key === undefined))
    throw fail('returned a certificate without its key, or a key without its certificate')
  if (token === undefined && cert === undefined) throw fail('returned neither a token nor a certificate')
  const expiresAt = Date.parse(text('expirationTimestamp') ?? '')
  return {
    ...(token === undefined ? {} : { token }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
    ...(Number.isNaN(expiresAt) ? {} : { expiresAt }),
  }
}

function parsed(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

function envOf(value: unknown, refuse: (why: string) => Error): Record<string, string> {
  const list: unknown = value ?? []
  if (!Array.isArray(list)) throw refuse('has an env that is not a list')
  return Object.fromEntries(
    list.map((each: unknown): [string, string] => {
      const { name, value: text = '' } = isRecord(each) ? each : {}
      if (typeof name !== 'string' || typeof text !== 'string') throw refuse('has an env entry without name and value')
      return [name, text]
    }),
  )
}

const infoFields = [
  'server',
  'tls-server-name',
  'insecure-skip-tls-verify',
  'certificate-authority-data',
  'proxy-url',
  'disable-compression',
]

function clusterInfo({ fields }: Entry): object {
  const known = Object.fromEntries(
    infoFields.flatMap((field) => (field in fields ? [[field, fields[field]]] : [])),
  ) as object
  const extensions: unknown[] = Array.isArray(fields.extensions) ? fields.extensions : []
  const ours = extensions.find((each) => isRecord(each) && each.name === 'client.authentication.k8s.io/exec')
  return { ...known, ...(isRecord(ours) ? { config: ours.extension } : {}) }
}

/** Removes control characters from external text. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .replace(/\.$/, '')
