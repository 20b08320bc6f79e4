import {
  ApiKeyList,
  CreateApiKeyBody,
  CreatedApiKey,
  ListApiKeysQuery,
  apiKeysPerUserMax,
} from '../schemas/api-keys.ts'
import { NoContent } from '../schemas/common.ts'
import { ApiKeyParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const apiKeyOperations = {
  listApiKeys: operation('GET /api/v1/api-keys', {
    access: 'caller',
    tag: 'API keys',
    summary: 'List your API keys',
    query: ListApiKeysQuery,
    response: { 200: ApiKeyList },
  }),

  createApiKey: operation('POST /api/v1/api-keys', {
    access: 'person',
    tag: 'API keys',
    summary: 'Create an API key',
    description:
      'The dashboard calls an API key an API token. A key has your current permissions, or the part of them in `scopes`. ' +
      `A user can have ${apiKeysPerUserMax} unexpired keys.`,
    body: CreateApiKeyBody,
    response: { 201: CreatedApiKey },
  }),

  revokeApiKey: operation('DELETE /api/v1/api-keys/:key_id', {
    access: 'person',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Revokes your own key. With api_keys:write, you can also revoke keys of users who have no more permissions than you. The next request with the key fails.',
    params: ApiKeyParams,
    response: { 204: NoContent },
  }),
}
