/** An error that the operator can fix: `main.ts` prints this one sentence and exits with 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}
