import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, searchLettersMin, searchLimit } from '@plimsoll/contract'
import { cancelOnAbort } from '../platform/db/cancel-on-abort.ts'
import type { Deps } from '../platform/deps.ts'
import { closingSignal } from '../platform/http/closing-signal.ts'
import { handle } from '../platform/http/handle.ts'
import { Problem } from '../platform/http/problem.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { gone } from '../platform/work-queue.ts'
import { search } from './search.ts'

export const searchRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.searchByName, {
    handler: async (request, reply) => {
      const { q, limit = searchLimit.default } = request.query
      const text = q.trim()
      if ([...text].length < searchLettersMin) throw tooShort()
      const wanted = { text, words: text.split(/\s+/), limit }
      const signal = closingSignal(reply)
      try {
        return await cancelOnAbort(deps.db, signal, (db) =>
          search(db, requestCaller(request), wanted, { now: deps.now() }),
        )
      } catch (error) {
        throw signal.aborted ? gone() : error
      }
    },
  })
}

const tooShort = () => {
  const detail = `must contain at least ${searchLettersMin} characters besides spaces at its ends`
  return new Problem('invalid_parameter', `q: ${detail}.`, { errors: [{ parameter: 'q', code: 'too_short', detail }] })
}
