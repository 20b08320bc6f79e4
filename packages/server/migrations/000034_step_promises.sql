-- The promise of a plan step, fixed when its first recommendation is approved or applied. Later plans change or end the
-- step; the page Savings compares the promise with the bill.
create table plan_step_promise (
  cluster_id text not null,
  step_id text not null,
  kind text not null,
  title text not null,
  -- The plan that named the nodes: they existed at this time.
  named_at timestamptz not null,
  promised_at timestamptz not null,
  savings numeric not null,
  nodes jsonb not null,
  -- Recommendations with their shares.
  members jsonb not null,
  -- Volumes, load balancers and control planes of a step that removes them, with their price at this time.
  resources jsonb not null,
  primary key (cluster_id, step_id)
);
comment on table plan_step_promise is 'distributed: what steps promised when they were approved or applied';

-- The name of the PersistentVolume or Service. `name` is what people know: the claim of a volume.
alter table asset add column object_name text;
