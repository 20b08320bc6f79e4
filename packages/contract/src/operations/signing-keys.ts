import { Type } from 'typebox'
import { ListSigningKeysQuery, RotateSigningKeyBody, SigningKey, SigningKeyList } from '../schemas/signing-keys.ts'
import { operation } from './operation.ts'

export const signingKeyOperations = {
  listSigningKeys: operation('GET /api/v1/signing-keys', {
    access: 'settings:read',
    tag: 'Signing keys',
    summary: 'List the token signing keys',
    query: ListSigningKeysQuery,
    response: { 200: SigningKeyList },
  }),

  rotateSigningKey: operation('POST /api/v1/signing-keys', {
    access: 'settings:write',
    tag: 'Signing keys',
    summary: 'Rotate the signing key',
    description:
      'The new key signs new tokens. Tokens of the old key stay valid for up to 24 hours, unless all sessions are ended.',
    body: Type.Optional(RotateSigningKeyBody),
    response: { 201: SigningKey },
  }),
}
