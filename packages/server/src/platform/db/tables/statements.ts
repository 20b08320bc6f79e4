import type { Generated } from 'kysely'

export type StatementsTables = {
  statement_sending: { is_only: Generated<boolean>; sent_month: string; waiting_since: Generated<Date | null> }
}
