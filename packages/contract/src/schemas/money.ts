import { Type } from 'typebox'

/** Rounded once, here at the edge, so shown parts may miss the shown total by half a millionth each. */
export const Money = (description?: string) =>
  Type.Number(description === undefined ? { examples: [12.345678] } : { description, examples: [12.345678] })
