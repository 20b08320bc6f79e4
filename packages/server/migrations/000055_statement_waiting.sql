-- Right after an outage, agents still send the data of its hours. The statements wait for this data up to a limit, which counts from
-- the first attempt to send. Null: no statements wait.
alter table statement_sending add column waiting_since timestamptz;
comment on column statement_sending.waiting_since is 'the first attempt to send the next month; null before it';
