-- The node, workload and allocation lists were empty during the first hour of a cluster. Until its first hour is complete,
-- each fold writes the quantities of the open hour to the tables of hours, and notes here which hour that is. Writing a
-- complete hour removes both first, so that nothing counts twice.
create table open_hour (
  cluster_id text primary key,
  hour timestamptz not null,
  -- the quantities cover the time from here …
  observed_from timestamptz not null,
  -- … up to here
  observed_through timestamptz not null
);
comment on table open_hour is 'distributed: the open hour of a cluster that has no complete one';
