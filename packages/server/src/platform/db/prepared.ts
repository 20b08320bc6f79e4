import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'

const mark = /^\/\* prepared ([a-z0-9 _-]{1,50}) \*\//

/**
 * For the few statements that every request runs: written as the SQL they are, so that nothing is built, and prepared by
 * name, so that each connection parses and plans them once. A name stands for one text for ever.
 */
export async function prepared<Row>(db: Db, name: string, text: string, values: readonly unknown[]): Promise<Row[]> {
  return (await db.executeQuery<Row>(CompiledQuery.raw(`/* prepared ${name} */${text}`, [...values]))).rows
}

type Query = (text: unknown, ...rest: unknown[]) => unknown

/** The query builder hands over text and values only; the name travels in a comment at the head of the text. */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = super.query.bind(this) as Query
    const named: Query = (text, ...rest) => {
      const name = typeof text === 'string' && text.startsWith('/* p') ? mark.exec(text)?.[1] : undefined
      return name === undefined ? query(text, ...rest) : query({ name, text, values: rest[0] }, ...rest.slice(1))
    }
    this.query = named as typeof this.query
  }
}
