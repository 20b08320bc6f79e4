import { isIP, isIPv6 } from 'node:net'

/** One household or machine: an IPv4 address, or the /64 that an IPv6 host can choose addresses from. */
export const addressBlock = (address: string) => block(address, 4)

/** One site: an IPv4 address, or a /48, which is commonly assigned and contains 65,536 blocks. */
export const addressSite = (address: string) => block(address, 3)

function block(address: string, groupsKept: number): string {
  const ip = withoutPort(address)
  if (isIP(ip) === 0) return 'unknown'
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(ip)) return ip
  const [head = '', tail = ''] = ip.split('%')[0]?.split('::') ?? []
  const left = head === '' ? [] : head.split(':')
  const right = tail === '' ? [] : tail.split(':')
  const zeros = ip.includes('::') ? Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0') : []
  const groups = [...left, ...zeros, ...right].slice(0, groupsKept).map((group) => parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/${groupsKept * 16}`
}

/** Some proxies forward `192.0.2.1:54321` or `[2001:db8::1]:54321`. */
const withoutPort = (address: string) => address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
