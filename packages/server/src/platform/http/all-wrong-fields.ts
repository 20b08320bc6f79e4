import type { FastifyRequest } from 'fastify'
import { Problem, type FieldError } from './problem.ts'
import { invalidBody, listsEveryMistake } from './validation.ts'

/** What only the service itself can tell of a field, such as whether a role exists. `refused` are those that the schema refuses. */
type FieldCheck = (
  fields: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  refused: ReadonlySet<string>,
) => Promise<FieldError[]>

/**
 * Options of a route: a body that its schema refuses is looked at by the service as well, so that whoever mends it hears of every
 * wrong field at once. Fields that the schema refuses are left out: of those enough was said. Where it may refuse more than it
 * lists, nothing else is looked at: a field that no schema has accepted may be anything.
 */
export const allWrongFields = (check: FieldCheck) => ({
  attachValidation: true,
  preHandler: async (request: FastifyRequest): Promise<void> => {
    const refused: Error | undefined = request.validationError
    if (!refused) return
    if (!(refused instanceof Problem) || refused.code !== 'invalid_body') throw refused
    const listed = refused.extras.errors ?? []
    if (!listsEveryMistake(request.body, listed)) throw refused
    const wrong = new Set(listed.map(({ pointer = '' }) => fieldOf(pointer)))
    const more = await check(fieldsWithout(request.body, wrong), request, wrong)
    const others = more.filter(({ pointer = '' }) => !wrong.has(fieldOf(pointer)))
    throw others.length === 0 ? refused : invalidBody([...listed, ...others])
  },
})

const fieldOf = (pointer: string) => pointer.split('/')[1] ?? ''

function fieldsWithout(body: unknown, wrong: ReadonlySet<string>): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) return {}
  return Object.fromEntries(Object.entries(body).filter(([name]) => !wrong.has(name)))
}
