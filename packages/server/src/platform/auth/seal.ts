import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM under a key derived from the setting of the operator: a database dump alone reveals nothing. */
export const seal = (plain: Buffer, passphrase: string): Buffer => encrypt(plain, secretsKey(passphrase), '')

/** Throws for another passphrase. */
export const unseal = (sealed: Buffer, passphrase: string): Buffer => decrypt(sealed, secretsKey(passphrase), '')

/** Under a secret of the service. The value opens only with its own name, so it cannot move to another row. */
export const sealValue = (text: string, secret: Buffer, name: string): Buffer =>
  encrypt(Buffer.from(text), valueKey(secret), name)

export const unsealValue = (sealed: Buffer, secret: Buffer, name: string): string =>
  decrypt(sealed, valueKey(secret), name).toString()

function encrypt(plain: Buffer, key: Buffer, name: string): Buffer {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

function decrypt(sealed: Buffer, key: Buffer, name: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, ivBytes)).setAAD(Buffer.from(name))
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()])
}

const secretsKey = (passphrase: string) => derivedKey(passphrase, 'plimsoll server secrets')

const valueKey = (secret: Buffer) => derivedKey(secret, 'plimsoll sealed values')

const derivedKey = (from: string | Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', from, '', purpose, 32))
