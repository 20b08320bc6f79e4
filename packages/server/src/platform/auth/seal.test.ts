import { expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'

const plain = Buffer.from('a private key')
const passphrase = 'sixteen or more characters'

test('a sealed text opens with the same passphrase and no other', () => {
  const sealed = seal(plain, passphrase)
  expect(unseal(sealed, passphrase)).toEqual(plain)
  expect(() => unseal(sealed, `${passphrase}.`)).toThrow()
})

test('the plain text is not contained, and sealing twice gives two texts', () => {
  const [first, second] = [seal(plain, passphrase), seal(plain, passphrase)]
  expect(first.includes(plain)).toBe(false)
  expect(first.equals(second)).toBe(false)
})

test('a changed byte at any position is detected', () => {
  const sealed = seal(plain, passphrase)
  for (let at = 0; at < sealed.length; at += 1) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(() => unseal(changed, passphrase)).toThrow()
  }
  expect(() => unseal(sealed.subarray(0, 20), passphrase)).toThrow()
})
