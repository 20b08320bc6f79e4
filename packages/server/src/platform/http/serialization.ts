import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import type { TSchema } from 'typebox'

type Serializer = (data: unknown) => string

/** Schemas are constants, so a second app in this process compiles none of them again. */
const compiled = new WeakMap<TSchema, Serializer>()

/** A schema is compiled at its first answer: all schemas at once would delay the start. */
export const compileSerializer: FastifySerializerCompiler<TSchema> =
  ({ schema }) =>
  (data) => {
    const serializer = compiled.get(schema) ?? fastJsonStringify(schema as Schema)
    compiled.set(schema, serializer)
    return serializer(data)
  }
