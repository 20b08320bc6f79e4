/** The evaluation of an hour was ended. Repeating it would take as long. */
export class EvaluationTooLong extends Error {
  constructor(minutes: number) {
    super(`the evaluation of incidents took more than ${minutes} minutes`)
  }
}
