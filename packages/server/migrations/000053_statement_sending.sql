-- Statements of a month are sent from the 3rd of the next month on. A schedule alone would lose them when the service does not run on that
-- day, so the last month that was sent is stored. Months before this migration count as sent.
create table statement_sending (
  is_only boolean primary key default true check (is_only),
  sent_month text not null
);
comment on table statement_sending is 'local: one row, the last month whose statements were sent';
insert into statement_sending (sent_month)
select to_char(date_trunc('month', now() at time zone 'UTC' - interval '2 days 7 hours') - interval '1 day', 'YYYY-MM');
