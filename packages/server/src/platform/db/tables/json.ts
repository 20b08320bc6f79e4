import type { ColumnType } from 'kysely'

/** Written as a string, read as the JSON value. */
export type Json<T> = ColumnType<T, string, string>
