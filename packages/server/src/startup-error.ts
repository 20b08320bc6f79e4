/** Says in one sentence, to the person who starts the service, what is in the way and what to do. */
export class StartupError extends Error {}
