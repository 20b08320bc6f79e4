/**
 * How long a test waits for an expected event. The wait ends with the event, so a long limit costs nothing and a busy
 * machine does not fail.
 */
export const patience = { timeout: 120_000 }
