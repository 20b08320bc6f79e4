import { BlockList, isIP } from 'node:net'
import { KubeconfigError } from './read-kubeconfig.ts'

type Env = Readonly<Record<string, string | undefined>>

const schemes = ['http:', 'https:', 'socks5:', 'socks5h:']

/** The proxy of the kubeconfig, or the proxy of the environment, as kubectl selects it. */
export function proxyFor(origin: string, proxyUrl: string | undefined, env: Env): URL | undefined {
  if (proxyUrl !== undefined) return parseProxy(proxyUrl, 'proxy-url')
  const target = new URL(origin)
  const name = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const value = valueIn(env, name)
  if (value === '' || isDirect(target, valueIn(env, 'NO_PROXY'))) return undefined
  return parseProxy(value.includes('://') ? value : `http://${value}`, name)
}

/** In upper or lower case. An empty variable counts as unset. */
const valueIn = (env: Env, name: string) => [env[name], env[name.toLowerCase()]].find((value) => value) ?? ''

function parseProxy(value: string, where: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && schemes.includes(url.protocol) && url.hostname !== '') return url
  // Hides the password of the URL.
  const shown = value.replace(/\/\/[^/@]*@/, '//***@')
  throw new KubeconfigError(
    `The ${where} '${shown}' is not supported; a proxy is an http, https or socks5 address such as http://proxy.example.com:3128.`,
  )
}

/** Requests to localhost never use a proxy. */
function isDirect({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || host === '::1' || host.startsWith('127.')) return true
  const portOf = port || (protocol === 'https:' ? '443' : '80')
  const entries = noProxy.split(',').map((entry) => entry.trim().toLowerCase())
  return entries.some((entry) => entry !== '' && matches(entry, host, portOf))
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  const [address = '', bits] = entry.split('/')
  if (bits !== undefined) return isInNetwork(host, address, Number(bits))
  if (isIP(entry) !== 0) return entry === host
  const [name = '', ownPort = port] = entry.split(':')
  if (ownPort !== port) return false
  const suffix = name.replace(/^\*?\./, '')
  return host.endsWith(`.${suffix}`) || (host === suffix && !name.startsWith('.'))
}

function isInNetwork(host: string, address: string, bits: number): boolean {
  const version = isIP(address)
  if (version === 0 || isIP(host) !== version || !(bits >= 0 && bits <= (version === 4 ? 32 : 128))) return false
  const family = version === 4 ? 'ipv4' : 'ipv6'
  const networks = new BlockList()
  networks.addSubnet(address, bits, family)
  return networks.check(host, family)
}
