import type { Command } from 'commander'
import type { OperationName } from '@plimsoll/contract'
import { routes } from '@plimsoll/contract/routes'
import { text } from '../output/cells.ts'
import { tableOf } from '../output/presentation.ts'
import { usageError } from '../exit-codes.ts'
import type { Session } from './session.ts'

/** Files have a command of their own. */
const readable = Object.entries(routes).filter(
  ([name, route]) => route.startsWith('GET /api/') && name !== 'exportFocus',
)

/** Every operation that reads, also those without a command of their own. */
export function addApiCommand(program: Command, session: Session): void {
  program
    .command('api [operation] [parameters...]')
    .summary('Call an operation of the API that reads data')
    .description(
      'Calls an operation of the API that reads data, and prints the response as JSON or YAML. ' +
        'Parameters of the path and the query are given as name=value. Without an operation, lists the operations.',
    )
    .action(async (operation: string | undefined, parameters: string[]) => {
      if (operation === undefined) return listOperations(session)
      const [name, route] = readable.find(([each]) => each === operation) ?? unknownOperation(operation)
      const { client } = await session.connect()
      const call = client[name as OperationName] as (input: object) => Promise<unknown>
      const answer = await call(inputOf(route, parameters))
      if (typeof answer === 'string') session.deps.print(answer)
      else await session.showData(answer)
    })
}

async function listOperations(session: Session): Promise<void> {
  await session.show(Object.fromEntries(readable), () => ({
    table: tableOf(readable, [
      ['operation', ([name]) => text(name)],
      ['route', ([, route]) => text(route)],
    ]),
  }))
}

function unknownOperation(name: string): never {
  throw usageError(`There is no operation "${name}" that reads data. "plimsoll api" lists the operations.`)
}

function inputOf(route: string, parameters: readonly string[]): { params: object; query: object } {
  const pairs = parameters.map((each) => {
    const at = each.indexOf('=')
    if (at <= 0) throw usageError(`"${each}" is not a parameter such as window=7d.`)
    return [each.slice(0, at), each.slice(at + 1)] as const
  })
  const isInPath = ([name]: readonly [string, string]) => `${route}/`.includes(`:${name}/`)
  const missing = [...route.matchAll(/:(\w+)/g)].find(([, name]) => !pairs.some(([given]) => given === name))
  if (missing) throw usageError(`The operation needs ${missing[1]}=…`)
  return {
    params: Object.fromEntries(pairs.filter(isInPath)),
    query: Object.fromEntries(pairs.filter((pair) => !isInPath(pair))),
  }
}
