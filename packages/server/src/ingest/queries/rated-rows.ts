/** A row of an hour with the id of its rate; undefined: no price. */
export type Rated<Row> = { hour: Date; row: Row; rateId: string | undefined }

/** Rows of this hour change from one rate to another. */
export type RateMove = { hour: Date; from: string; to: string }
