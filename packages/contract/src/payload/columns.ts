import { Type, type TProperties } from 'typebox'

export const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })

/** One value per row. */
export const column = Type.Array(whole)

export const Columns = <T extends TProperties>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })
