import type { CliDeps } from '../cli-deps.ts'
import { connect, type Connection } from '../context/connection.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import type { Presentation } from '../output/presentation.ts'
import { render, type OutputFormat } from '../output/render.ts'

export type GlobalOptions = { output: OutputFormat; context?: string; allowIncomplete?: true }

/** One run of the command line. */
export class Session {
  readonly deps: CliDeps
  readonly #globals: () => GlobalOptions
  #connection: Promise<Connection> | undefined
  exitCode: ExitCode = exitCodes.ok

  constructor(deps: CliDeps, globals: () => GlobalOptions) {
    this.deps = deps
    this.#globals = globals
  }

  get output(): OutputFormat {
    return this.#globals().output
  }

  connect(): Promise<Connection> {
    return (this.#connection ??= connect(this.deps, this.#globals().context))
  }

  /** Prints a response. Its gaps are warnings, and change the exit code. */
  async show(answer: unknown, present: () => Presentation): Promise<void> {
    this.deps.print(await render(this.output, answer, present))
    this.#warn(answer)
  }

  /** Data without a table. */
  async showData(answer: unknown): Promise<void> {
    this.deps.print(await render(this.output === 'yaml' ? 'yaml' : 'json', answer, () => ({})))
    this.#warn(answer)
  }

  /** The response lacks a part that belongs to it. */
  markIncomplete(reason: string): void {
    this.deps.warn(`Incomplete: ${reason}\n`)
    if (this.#globals().allowIncomplete !== true && this.exitCode === exitCodes.ok) this.exitCode = exitCodes.incomplete
  }

  #warn(answer: unknown): void {
    const fields = (answer ?? {}) as {
      partial?: boolean
      data_status?: string
      has_more?: boolean
      next_cursor?: string
    }
    if (fields.has_more === true) {
      this.deps.warn(`There are more entries. Use --limit, or --cursor ${fields.next_cursor ?? ''}\n`)
    }
    if (fields.partial === true) this.markIncomplete('some data is missing.')
    else if (fields.data_status !== undefined && fields.data_status !== 'complete') {
      this.markIncomplete(`the data status of the window is "${fields.data_status}".`)
    }
  }
}
