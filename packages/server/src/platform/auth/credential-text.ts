import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { base32 } from '../ids.ts'

/** `plk` is an API key, `pla` an agent token. The prefixes let secret scanners recognize a leaked one. */
export type CredentialKind = 'plk' | 'pla'

export type Credential = { kind: CredentialKind; id: string; secret: string }

const pattern = /^(plk|pla)_([0-9a-hjkmnp-tv-z]{26})_([0-9a-hjkmnp-tv-z]{52})([0-9a-hjkmnp-tv-z]{7})$/

/** `plk_<id>_<secret><checksum>`: 256 random bits, and a checksum so that a typo costs no look-up. */
export function newCredential(kind: CredentialKind, id: string): { text: string; secret: string } {
  const secret = base32(randomBytes(32))
  return { text: `${kind}_${id}_${secret}${checksum(kind, id, secret)}`, secret }
}

const storedAs = { plk: 'api-key', pla: 'agent-token', link: 'link' }

/** The input of the MAC of a credential; the prefix separates MACs of different kinds. */
export const storedText = (kind: keyof typeof storedAs, secret: string) => `${storedAs[kind]}:${secret}`

export function parseCredential(text: string): Credential | undefined {
  const [, kind, id, secret, sum] = pattern.exec(text) ?? []
  if (kind === undefined || id === undefined || secret === undefined) return undefined
  return sum === checksum(kind, id, secret) ? { kind: kind as CredentialKind, id, secret } : undefined
}

function checksum(kind: string, id: string, secret: string): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(crc32(`${kind}_${id}_${secret}`))
  return base32(bytes)
}
