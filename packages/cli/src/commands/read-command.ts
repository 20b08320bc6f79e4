import type { OperationAnswer, OperationInput, OperationName } from '@plimsoll/contract'
import type { Presentation } from '../output/presentation.ts'

/** A command that reads one response of the API. */
export type ReadCommand = {
  /** Such as `recommendations list`. */
  readonly words: string
  readonly operation: OperationName
  readonly summary: string
  /** The parameters of the query, each of which is an option. */
  readonly query: readonly string[]
  /** The arguments after the words: path or query parameters of the operation. */
  readonly args: readonly string[]
  readonly present: (answer: unknown) => Presentation
}

type QueryName<Name extends OperationName> =
  OperationInput<Name> extends { query?: infer Query } ? keyof NonNullable<Query> & string : never

type ParamName<Name extends OperationName> =
  OperationInput<Name> extends { params: infer Params } ? keyof Params & string : never

export const read = <Name extends OperationName>(
  operation: Name,
  {
    present,
    query = [],
    args = [],
    ...parts
  }: {
    words: string
    summary: string
    query?: readonly QueryName<Name>[]
    args?: readonly (QueryName<Name> | ParamName<Name>)[]
    present: (answer: OperationAnswer<Name>) => Presentation
  },
): ReadCommand => ({
  ...parts,
  operation,
  query,
  args,
  present: (answer) => present(answer as OperationAnswer<Name>),
})
