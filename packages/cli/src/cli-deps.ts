/** What the command line needs from its process. Tests pass their own. */
export type CliDeps = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly homeDirectory: string
  readonly workingDirectory: string
  readonly print: (text: string) => void
  /** Resolves when the reader of standard output has taken the printed text. */
  readonly drained?: () => Promise<void>
  /** Messages for people, which are not part of the result. */
  readonly warn: (text: string) => void
  readonly readStdin: () => Promise<string>
  readonly now: () => Date
  /** Ends a command that runs until it is stopped. Without it, a signal ends the process. */
  readonly stopSignal?: AbortSignal
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}
