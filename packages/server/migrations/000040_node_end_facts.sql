-- Hours of nodes are kept for weeks. The page Savings shows the price of removed nodes for longer.
alter table node add column end_usd_per_hour numeric;

-- The end of a node by its history. A later snapshot without the node gives only the time of that snapshot.
alter table node add column backfilled_end_at timestamptz;
