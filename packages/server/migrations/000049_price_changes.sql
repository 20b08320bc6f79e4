-- The rates of the current nodes, volumes and load balancers before a price changed, by class. The end of the repricing compares them
-- with the new rates. Null: unknown.
alter table repricing add column rates_before jsonb;
