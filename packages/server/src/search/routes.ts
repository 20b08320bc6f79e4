import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, searchLimit } from '@plimsoll/contract'
import type { Deps } from '../platform/deps.ts'
import { handle } from '../platform/http/handle.ts'
import { Problem } from '../platform/http/problem.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { search } from './search.ts'

export const searchRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.searchByName, {
    handler: async (request) => {
      const { q, limit = searchLimit.default } = request.query
      const text = q.trim()
      if (text === '') throw blank()
      return search(deps.db, requestCaller(request), { text, words: text.split(/\s+/), limit }, deps.now())
    },
  })
}

const blank = () => {
  const detail = 'must contain a character other than a space'
  return new Problem('invalid_parameter', `q: ${detail}.`, { errors: [{ parameter: 'q', code: 'blank', detail }] })
}
