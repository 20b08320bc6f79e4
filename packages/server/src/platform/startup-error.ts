/** Something the person who starts the service can put right: `main.ts` prints this one sentence and exits with 1. */
export class StartupError extends Error {
  override name = 'StartupError'
}
