import type { Static, TSchema } from 'typebox'
import type { OperationName, Operations } from './index.ts'

type Nothing = Record<never, never>

/** Every field is optional, because the type of a query parameter does not show whether it has a default. */
type Query<Schema extends TSchema> = { [Name in keyof Static<Schema>]?: Static<Schema>[Name] | undefined }

type Body<Schema extends TSchema> = Schema extends { '~optional': unknown }
  ? { body?: Static<Schema> }
  : { body: Static<Schema> }

type InputOf<Op> = (Op extends { params: infer Params extends TSchema } ? { params: Static<Params> } : Nothing) &
  (Op extends { query: infer Asked extends TSchema } ? { query?: Query<Asked> } : Nothing) &
  (Op extends { body: infer Sent extends TSchema } ? Body<Sent> : Nothing) & {
    headers?: Readonly<Record<string, string>>
  }

/** The input of an operation. */
export type OperationInput<Name extends OperationName> = InputOf<Operations[Name]>

type AnswerOf<Op> = Op extends { response: infer Answers }
  ? {
      [Status in keyof Answers]: Status extends 304
        ? never
        : Answers[Status] extends TSchema
          ? Static<Answers[Status]>
          : never
    }[keyof Answers]
  : string

/** The response of a successful operation; null for 204. */
export type OperationAnswer<Name extends OperationName> = AnswerOf<Operations[Name]>
