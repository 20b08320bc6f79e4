export type HostPort = {
  readonly port: number
  /** Default: TCP. */
  readonly protocol?: string
  /** Default: every address of the node. */
  readonly ip?: string
}

/** By port and protocol: the number of pods on each address. */
export type UsedPorts = Map<string, Map<string, number>>

const EVERY_ADDRESS = '0.0.0.0'

export function portsAreFree(used: UsedPorts | undefined, wanted: readonly HostPort[]): boolean {
  if (!used) return true
  return wanted.every((port) => {
    const holders = used.get(slot(port))
    if (!holders) return true
    const address = addressOf(port)
    return address !== EVERY_ADDRESS && !holders.has(EVERY_ADDRESS) && !holders.has(address)
  })
}

export function countPorts(used: UsedPorts, ports: readonly HostPort[], by: 1 | -1): void {
  for (const port of ports) {
    const holders = used.get(slot(port)) ?? new Map<string, number>()
    const count = (holders.get(addressOf(port)) ?? 0) + by
    if (count === 0) holders.delete(addressOf(port))
    else holders.set(addressOf(port), count)
    if (holders.size === 0) used.delete(slot(port))
    else used.set(slot(port), holders)
  }
}

const slot = ({ port, protocol = 'TCP' }: HostPort) => `${protocol}/${port}`
const addressOf = ({ ip = '' }: HostPort) => (ip === '' ? EVERY_ADDRESS : ip)
