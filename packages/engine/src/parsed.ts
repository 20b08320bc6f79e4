/** The result of parsing: the value, or the reason and the input. */
export type Parsed<Value, Reason extends string> =
  { kind: 'ok'; value: Value } | { kind: 'invalid'; reason: Reason; text: string }
