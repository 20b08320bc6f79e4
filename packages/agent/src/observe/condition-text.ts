import type { Condition } from '../observer.ts'

/** Our message, and the external message. */
export const conditionText = ({ message, detail }: Condition): string =>
  detail === undefined ? message : `${message} (${detail})`
