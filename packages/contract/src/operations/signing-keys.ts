import { Type } from 'typebox'
import { ListSigningKeysQuery, RotateSigningKeyBody, SigningKey, SigningKeyList } from '../schemas/signing-keys.ts'
import { operation } from './operation.ts'

export const signingKeyOperations = {
  listSigningKeys: operation('GET /api/v1/signing-keys', {
    access: 'settings:read',
    tag: 'Signing keys',
    summary: 'List the keys that sign tokens',
    query: ListSigningKeysQuery,
    response: { 200: SigningKeyList },
  }),

  rotateSigningKey: operation('POST /api/v1/signing-keys', {
    access: 'settings:write',
    tag: 'Signing keys',
    summary: 'Rotate the signing key',
    description:
      'New tokens are signed with the new key. Tokens of the old one stay valid for their 24 hours, unless all sessions are ended.',
    body: Type.Optional(RotateSigningKeyBody),
    response: { 201: SigningKey },
  }),
}
