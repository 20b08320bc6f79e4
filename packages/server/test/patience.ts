/**
 * How long a test waits for what must come: it ends with what it waits for, so patience costs nothing where all is well,
 * and a busy machine is no reason to fail.
 */
export const patience = { timeout: 120_000 }
