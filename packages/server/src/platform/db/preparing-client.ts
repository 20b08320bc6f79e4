import pg from 'pg'

const preparedComment = /^\/\* prepared ([a-z0-9 _-]{1,50}) \*\//

/** Marks a statement so that each connection prepares it under this name. */
export const withName = (name: string, text: string) => `/* prepared ${name} */${text}`

type Query = (text: unknown, ...rest: unknown[]) => unknown

/** The query builder passes text and values only; a comment at the start of the text carries the name. */
export class PreparingClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    const query = super.query.bind(this) as Query
    const named: Query = (text, ...rest) => {
      const name = typeof text === 'string' && text.startsWith('/* p') ? preparedComment.exec(text)?.[1] : undefined
      return name === undefined ? query(text, ...rest) : query({ name, text, values: rest[0] }, ...rest.slice(1))
    }
    this.query = named as typeof this.query
  }
}
