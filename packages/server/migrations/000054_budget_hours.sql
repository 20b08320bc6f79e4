-- A period that was frozen while half of its hours were missing looked complete. Null: frozen before this migration.
alter table budget_period add column known_hours integer;
comment on column budget_period.known_hours is 'hours of the period with data; null if unknown';
