import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newOpaqueId } from '../ids.ts'
import { newCredential, parseCredential, storedText, type CredentialKind } from './credential-text.ts'

const kinds = fc.constantFrom<CredentialKind>('plk', 'pla')
const ids = fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }).map(newOpaqueId)

test('a created credential parses', () => {
  fc.assert(
    fc.property(kinds, ids, (kind, id) => {
      const { text, secret } = newCredential(kind, id)
      expect(parseCredential(text)).toEqual({ kind, id, secret })
    }),
  )
})

test('the text has the documented form and is never the same twice', () => {
  const id = newOpaqueId(new Date('2026-03-01T12:00:00Z'))
  const texts = Array.from({ length: 100 }, () => newCredential('plk', id).text)
  for (const text of texts) expect(text).toMatch(/^plk_[0-9a-z]{26}_[0-9a-z]{59}$/)
  expect(new Set(texts).size).toBe(100)
})

test('the checksum detects one wrong character at any position', () => {
  const other = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz')
  fc.assert(
    fc.property(kinds, ids, fc.nat(), other, (kind, id, position, character) => {
      const { text } = newCredential(kind, id)
      const at = position % text.length
      fc.pre(text.charAt(at) !== character)
      expect(parseCredential(`${text.slice(0, at)}${character}${text.slice(at + 1)}`)).toBeUndefined()
    }),
  )
})

test('the checksum detects two swapped characters', () => {
  fc.assert(
    fc.property(ids, fc.nat(), (id, position) => {
      const { text } = newCredential('pla', id)
      const at = position % (text.length - 1)
      const swapped = text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
      fc.pre(swapped !== text)
      expect(parseCredential(swapped)).toBeUndefined()
    }),
  )
})

test('a key is not an agent token and vice versa', () => {
  const id = newOpaqueId(new Date('2026-03-01T12:00:00Z'))
  const { text } = newCredential('plk', id)
  expect(parseCredential(text.replace('plk_', 'pla_'))).toBeUndefined()
})

test('any other text is not a credential', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => parseCredential(text) === undefined))
  const { text } = newCredential('plk', newOpaqueId(new Date('2026-03-01T12:00:00Z')))
  for (const wrong of [`${text} `, ` ${text}`, `${text}\n`, text.toUpperCase(), text.slice(0, -1), `${text}0`, '']) {
    expect(parseCredential(wrong)).toBeUndefined()
  }
})

test('the stored hash of a secret depends on its purpose', () => {
  const texts = (['plk', 'pla', 'link'] as const).map((kind) => storedText(kind, 'same'))
  expect(texts).toEqual(['api-key:same', 'agent-token:same', 'link:same'])
})
