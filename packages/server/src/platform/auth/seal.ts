import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key derived from the setting of the operator: a database dump alone reveals nothing. */
export function seal(plain: Buffer, passphrase: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', sealingKey(passphrase), iv)
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Throws for another passphrase. */
export function unseal(sealed: Buffer, passphrase: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', sealingKey(passphrase), sealed.subarray(0, ivBytes))
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}

function sealingKey(passphrase: string): Buffer {
  return Buffer.from(hkdfSync('sha256', passphrase, '', 'plimsoll server secrets', 32))
}
