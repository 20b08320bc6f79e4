-- A new mapping of teams changes only the cost of budgets with teams. Null: the days are not summed up yet.
alter table budget add column counted_mapping integer;

-- The finalized hours of a day, so that the evaluation does not read them from all hours again. The next evaluation sums up all days.
delete from budget_day_read;
alter table budget_day_read add column hours integer not null default 0;
alter table budget_day_read add column ended_at timestamptz;

-- Days without cost need no row.
delete from budget_day where usd = 0;

create table budget_state (
  is_only boolean primary key default true check (is_only),
  -- The events of finalized and repriced hours up to this one are in the sums. Null: none yet.
  counted_event bigint
);
comment on table budget_state is 'local: one row, how far the days of budgets are summed up';
insert into budget_state default values;
