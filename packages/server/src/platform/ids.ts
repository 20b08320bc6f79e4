import { randomBytes } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Crockford base 32 in lower case: no ambiguous letters, sorts like the bytes, needs no escaping. */
export function base32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      text += alphabet.charAt((value >>> bits) & 31)
      value &= (1 << bits) - 1
    }
  }
  return bits > 0 ? text + alphabet.charAt((value << (5 - bits)) & 31) : text
}

/** 48 bits of milliseconds, then 80 random bits: sorts by creation time and cannot be guessed. */
export function newOpaqueId(now: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(now.getTime(), 0, 6)
  randomBytes(10).copy(bytes, 6)
  return base32(bytes)
}

export type IdPrefix =
  'cls' | 'key' | 'agt' | 'ses' | 'aud' | 'lnk' | 'req' | 'job' | 'prc' | 'stp' | 'chn' | 'msg' | 'alr' | 'bud' | 'viw'

export const newId = (prefix: IdPrefix, now: Date) => `${prefix}_${newOpaqueId(now)}`

const idPattern = /^[0-9a-hjkmnp-tv-z]{26}$/

/** Ids come from addresses that users type: invalid ids are not looked up. */
export const isId = (prefix: IdPrefix, text: string) => text.startsWith(`${prefix}_`) && idPattern.test(text.slice(4))

const recommendationIdPattern = /^rec_([0-9a-hjkmnp-tv-z]{26})[0-9a-hjkmnp-tv-z]{26}$/

/** Contains the key of the cluster: the id alone locates its row. */
export const newRecommendationId = (clusterId: string, now: Date) =>
  `rec_${clusterId.slice('cls_'.length)}${newOpaqueId(now)}`

/** Undefined: not the id of a recommendation. */
export function clusterOfRecommendation(id: string): string | undefined {
  const key = recommendationIdPattern.exec(id)?.[1]
  return key === undefined ? undefined : `cls_${key}`
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const isUuid = (text: string) => uuidPattern.test(text)
