/** What came of reading a text: the value, or why it is none and what was sent. */
export type Parsed<Value, Reason extends string> =
  { kind: 'ok'; value: Value } | { kind: 'invalid'; reason: Reason; text: string }
