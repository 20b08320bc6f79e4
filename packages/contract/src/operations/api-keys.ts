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
      'What the dashboard calls an API token. It may do what you may do at the moment it is used, or the part of it named in `scopes`. ' +
      `You can have ${apiKeysPerUserMax} that have not expired.`,
    body: CreateApiKeyBody,
    response: { 201: CreatedApiKey },
  }),

  revokeApiKey: operation('DELETE /api/v1/api-keys/:key_id', {
    access: 'person',
    tag: 'API keys',
    summary: 'Revoke an API key',
    description:
      'Your own, or with api_keys:write that of a user who holds no more than you. It stops working with the next request.',
    params: ApiKeyParams,
    response: { 204: NoContent },
  }),
}
