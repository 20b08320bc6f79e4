import { parseArgs } from 'node:util'

export const usageSources = ['auto', 'kubelet', 'metrics-server', 'prometheus', 'none'] as const
export type UsageChoice = (typeof usageSources)[number]

export type AgentSettings = {
  readonly url: string
  readonly tokenFile: string
  readonly dataDir: string
  /** Undefined: the agent runs in the cluster. */
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly usage: UsageChoice
  /** Whether the agent reads kubelets, and whether it verifies their certificates. */
  readonly kubelet: 'off' | 'on' | 'unverified'
  readonly prometheusUrl: string | undefined
  readonly historyDays: number
  readonly hashNames: boolean
  /** Without it, the cluster uid is the key of the name hashes. */
  readonly hashKeyFile: string | undefined
  readonly readHeaps: boolean
  readonly logBytesMax: number
  /** Undefined: all addresses. */
  readonly host: string | undefined
  readonly port: number
  readonly mode: 'run' | 'once' | 'dry-run' | 'print-payload'
}

/** A readable error: a setting is invalid, or does not work here. */
export class BadSetting extends Error {}

/** The thrown message is already readable. */
export function refuseSetting(error: unknown): never {
  throw new BadSetting(error instanceof Error ? error.message : String(error))
}

const mebibyte = 1024 ** 2

/** Variable, flag, default and meaning of each setting. */
const settings = [
  ['PLIMSOLL_URL', 'url', '', 'URL of the server, such as https://plimsoll.example.com'],
  ['PLIMSOLL_TOKEN_FILE', 'token-file', '/etc/plimsoll/token', 'file with the agent token; read for every request'],
  ['PLIMSOLL_DATA_DIR', 'data-dir', '/var/lib/plimsoll-agent', 'directory of the disk buffer for unsent data'],
  [
    'PLIMSOLL_KUBECONFIG',
    'kubeconfig',
    '',
    'kubeconfig files, separated as in KUBECONFIG; default: KUBECONFIG, then the pod’s service account',
  ],
  ['PLIMSOLL_CONTEXT', 'context', '', 'context of the kubeconfig; default: current context'],
  ['PLIMSOLL_USAGE', 'usage', 'auto', `usage source: ${usageSources.join(', ')}`],
  [
    'PLIMSOLL_KUBELET',
    'kubelet',
    'off',
    'off, on, or unverified. on: read the kubelets (needs get on nodes/metrics and nodes/stats). unverified: also accept any kubelet certificate',
  ],
  ['PLIMSOLL_PROMETHEUS_URL', 'prometheus-url', '', 'URL of Prometheus; also provides usage history'],
  ['PLIMSOLL_HISTORY_DAYS', 'history-days', '30', 'days of usage history, 0 to 34'],
  ['PLIMSOLL_HASH_NAMES', 'hash-names', '0', '1: hash names and label values before they leave the cluster'],
  ['PLIMSOLL_HASH_KEY_FILE', 'hash-key-file', '', 'file with the key for the hashes'],
  ['PLIMSOLL_READ_HEAPS', 'read-heaps', '0', '1: read Java heap sizes from arguments and environment variables'],
  [
    'PLIMSOLL_LOG_MEBIBYTES',
    'log-mebibytes',
    '2048',
    'maximum size of the disk buffer; the oldest data is dropped first',
  ],
  [
    'PLIMSOLL_HOST',
    'host',
    '',
    'listen address of /healthz, /readyz and /metrics; default: all IPv4 and IPv6 addresses',
  ],
  ['PLIMSOLL_PORT', 'port', '8081', 'port of /healthz, /readyz and /metrics; 0: no listener'],
] as const

const modes = [
  ['print-payload', 'print the data that would be sent now, as JSON, and exit'],
  ['dry-run', 'run without sending; log the size of each batch until Ctrl-C'],
  ['once', 'send the current state and exit'],
] as const

type Variable = (typeof settings)[number][0]

/** Flags win over variables. Undefined: help was requested. */
export function readSettings(args: readonly string[], env: Readonly<Record<string, string | undefined>>) {
  const values = flagsOf(args)
  if (values.help === true) return undefined
  const text = Object.fromEntries(
    settings.map(([variable, flag, otherwise]) => [
      variable,
      String(values[flag] ?? setIn(env[variable]) ?? otherwise),
    ]),
  ) as Record<Variable, string>
  const chosen = modes.map(([mode]) => mode).filter((mode) => values[mode] === true)
  if (chosen.length > 1) throw new BadSetting(`--${chosen.join(' and --')} cannot be combined.`)
  return check(text, chosen[0] ?? 'run')
}

/** An empty variable counts as unset. */
const setIn = (value: string | undefined) => (value === '' ? undefined : value)

function flagsOf(args: readonly string[]): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries([
    ...settings.map(([, flag]) => [flag, { type: 'string' as const }]),
    ...modes.map(([mode]) => [mode, { type: 'boolean' as const }]),
    ['help', { type: 'boolean' as const }],
  ]) as Record<string, { type: 'string' | 'boolean' }>
  try {
    return parseArgs({ args: [...args], options }).values
  } catch (error) {
    throw new BadSetting(error instanceof Error ? error.message : String(error))
  }
}

function check(text: Record<Variable, string>, mode: AgentSettings['mode']): AgentSettings {
  const usage = usageSources.find((source) => source === text.PLIMSOLL_USAGE)
  if (!usage) throw new BadSetting(`PLIMSOLL_USAGE is '${text.PLIMSOLL_USAGE}', not one of ${usageSources.join(', ')}.`)
  const isSending = mode === 'run' || mode === 'once'
  return {
    url: isSending || text.PLIMSOLL_URL !== '' ? addressIn(text, 'PLIMSOLL_URL') : '',
    tokenFile: text.PLIMSOLL_TOKEN_FILE,
    dataDir: text.PLIMSOLL_DATA_DIR,
    kubeconfig: text.PLIMSOLL_KUBECONFIG || undefined,
    context: text.PLIMSOLL_CONTEXT || undefined,
    usage,
    kubelet: kubeletIn(text),
    prometheusUrl: text.PLIMSOLL_PROMETHEUS_URL === '' ? undefined : addressIn(text, 'PLIMSOLL_PROMETHEUS_URL'),
    historyDays: numberIn(text, 'PLIMSOLL_HISTORY_DAYS', 0, 34),
    hashNames: isOn(text, 'PLIMSOLL_HASH_NAMES'),
    hashKeyFile: text.PLIMSOLL_HASH_KEY_FILE || undefined,
    readHeaps: isOn(text, 'PLIMSOLL_READ_HEAPS'),
    logBytesMax: numberIn(text, 'PLIMSOLL_LOG_MEBIBYTES', 16, 1_048_576) * mebibyte,
    host: text.PLIMSOLL_HOST || undefined,
    port: numberIn(text, 'PLIMSOLL_PORT', 0, 65_535),
    mode,
  }
}

/** Without a trailing slash. */
function addressIn(text: Record<Variable, string>, variable: Variable): string {
  const value = text[variable]
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new BadSetting(`${variable} is '${value}', not a URL such as https://plimsoll.example.com.`)
  }
  if (url.username !== '' || url.password !== '') throw new BadSetting(`${variable} must not contain a password.`)
  return value.replace(/(?<!\/)\/+$/, '')
}

function numberIn(text: Record<Variable, string>, variable: Variable, min: number, max: number): number {
  const value = Number(text[variable])
  if (!Number.isInteger(value) || value < min || value > max || text[variable].trim() === '') {
    throw new BadSetting(`${variable} is '${text[variable]}', not a whole number from ${min} to ${max}.`)
  }
  return value
}

function kubeletIn({ PLIMSOLL_KUBELET: value }: Record<Variable, string>): AgentSettings['kubelet'] {
  // The old name, from when verification was not the default.
  if (value === 'verified') return 'on'
  if (value === 'off' || value === 'on' || value === 'unverified') return value
  throw new BadSetting(`PLIMSOLL_KUBELET is '${value}', not one of off, on, unverified.`)
}

function isOn(text: Record<Variable, string>, variable: Variable): boolean {
  const value = text[variable]
  if (value !== '0' && value !== '1') throw new BadSetting(`${variable} is '${value}', neither 0 nor 1.`)
  return value === '1'
}

export const help = [
  'plimsoll-agent: reads one Kubernetes cluster and sends usage and resource data to a Plimsoll server. Read-only.',
  '',
  ...settings.map(
    ([variable, flag, otherwise, meaning]) =>
      `  --${flag.padEnd(16)} ${variable.padEnd(24)} ${meaning}${otherwise === '' ? '' : ` (${otherwise})`}`,
  ),
  '',
  ...modes.map(([mode, meaning]) => `  --${mode.padEnd(16)} ${meaning}`),
].join('\n')
