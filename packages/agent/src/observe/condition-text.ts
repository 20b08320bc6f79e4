import type { Condition } from './observer.ts'

/** What we say of it, and what others said. */
export const conditionText = ({ message, detail }: Condition): string =>
  detail === undefined ? message : `${message} (${detail})`
