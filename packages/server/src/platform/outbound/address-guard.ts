import { BlockList, isIP } from 'node:net'

/** Addresses that are not on the public internet: loopback, private, link-local, shared, reserved and multicast. */
const privateNetworks = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/9',
  'ff00::/8',
]

/** Metadata services give credentials of the machine to every caller. No setting allows them. */
const metadataAddresses = [
  '169.254.169.254',
  '169.254.169.253',
  '169.254.170.2',
  '169.254.170.23',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::253',
  'fd00:ec2::23',
  'fd20:ce::254',
]

const privateList = blockListOf(privateNetworks)
const metadataList = blockListOf(metadataAddresses)

export type AddressVerdict = 'public' | 'allowed' | 'refused'

/** Decides which addresses the service may connect to on behalf of a user. */
export class AddressGuard {
  readonly #allowed: BlockList

  constructor(allowedNetworks: readonly string[]) {
    this.#allowed = blockListOf(allowedNetworks)
  }

  judge(address: string): AddressVerdict {
    const version = isIP(address)
    if (version === 0) return 'refused'
    const [plain, family] = version === 6 ? withoutTranslation(address) : [address, 'ipv4' as const]
    if (metadataList.check(plain, family)) return 'refused'
    if (this.#allowed.check(plain, family)) return 'allowed'
    return privateList.check(plain, family) ? 'refused' : 'public'
  }
}

function blockListOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  return list
}

/** An IPv4 address inside an IPv6 address (mapped, or for NAT64) is checked as the IPv4 address. */
function withoutTranslation(address: string): [string, 'ipv4' | 'ipv6'] {
  const [bare = ''] = address.split('%')
  // The parser of URLs writes the shortest form, without dots.
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1)
  const [, high, low] = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})$/.exec(canonical) ?? []
  if (low === undefined) return [canonical, 'ipv6']
  const bytes = [parseInt(high ?? '0', 16), parseInt(low, 16)].flatMap((word) => [word >> 8, word & 255])
  return [bytes.join('.'), 'ipv4']
}
