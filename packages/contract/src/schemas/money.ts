import { Type } from 'typebox'

/**
 * Rounded once, in the response. So the sum of shown parts may differ from the shown total by half a millionth per
 * part.
 */
export const Money = (description?: string) =>
  Type.Number(description === undefined ? { examples: [12.345678] } : { description, examples: [12.345678] })

export const ExactMoney = Type.String({
  description: 'US dollars, unrounded',
  examples: ['0.115000000000000000000000'],
})
