import type { FastifyRequest } from 'fastify'
import { Problem, type FieldError } from './problem.ts'
import { invalidBody, listsEveryMistake } from './validation.ts'

/** Checks that need the database, such as whether a role exists. `refused` are the fields that the schema rejects. */
type FieldCheck = (
  fields: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  refused: ReadonlySet<string>,
) => Promise<FieldError[]>

/**
 * Route options: the service also checks a body that the schema rejects, so that the caller gets all errors at once.
 * Fields that the schema rejects are skipped. If the schema may reject more than it lists, no further check runs,
 * because the remaining fields are unvalidated.
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
