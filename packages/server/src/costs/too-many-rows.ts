import { Problem } from '../platform/http/problem.ts'

/** The result has more namespaces, workloads, label values or steps than memory allows. */
export class TooManyRows extends Problem {
  constructor(rowsMax: number) {
    const detail = `the result needs more than ${rowsMax} rows; request a shorter window, longer steps or fewer groups`
    super('invalid_parameter', `by: ${detail}.`, { errors: [{ parameter: 'by', code: 'too_many_rows', detail }] })
  }
}
