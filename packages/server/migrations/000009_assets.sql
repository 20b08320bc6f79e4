-- What is not a node: volumes, load balancers and the control plane. KiB-seconds of volumes, and seconds of parts of what is
-- sold whole, with who used them. Nothing about them is measured: an hour is replaced when one of its facts changes.

-- Per KiB or part, and second. Null for a class of nodes, and where there is no price: never 0 for lack of one.
alter table rate add column asset_usd_per_unit_second numeric;

create table asset_hour (
  cluster_id text not null,
  hour timestamptz not null,
  -- volume, balancer or control_plane
  kind text not null,
  asset_uid text not null,
  -- workload: who used it is named · else it belongs to nobody: unmounted, unattached, overhead
  owner text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  labels jsonb not null,
  labels_hash text not null,
  rate_id bigint not null,
  unit_seconds numeric not null,
  primary key (cluster_id, hour, asset_uid, owner, namespace, workload_kind, workload_name, labels_hash, rate_id)
) partition by range (hour);
comment on table asset_hour is 'distributed: how much of each volume, balancer and control plane there was in an hour, per user and rate';

create table asset_day (
  cluster_id text not null,
  day timestamptz not null,
  kind text not null,
  owner text not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  labels jsonb not null,
  labels_hash text not null,
  rate_id bigint not null,
  unit_seconds numeric not null,
  primary key (cluster_id, day, kind, owner, namespace, workload_kind, workload_name, labels_hash, rate_id)
) partition by range (day);
comment on table asset_day is 'distributed: sums of asset_hour over the assets and a UTC day';

create table asset_namespace_hour (
  cluster_id text not null,
  hour timestamptz not null,
  kind text not null,
  owner text not null,
  namespace text not null,
  rate_id bigint not null,
  unit_seconds numeric not null,
  primary key (cluster_id, hour, kind, owner, namespace, rate_id)
);
comment on table asset_namespace_hour is 'distributed: sums of asset_hour over the assets and workloads of a namespace';

create table asset_namespace_day (
  cluster_id text not null,
  day timestamptz not null,
  kind text not null,
  owner text not null,
  namespace text not null,
  rate_id bigint not null,
  unit_seconds numeric not null,
  primary key (cluster_id, day, kind, owner, namespace, rate_id)
);
comment on table asset_namespace_day is 'distributed: sums of asset_namespace_hour over a UTC day';

create table asset_class (
  cluster_id text not null,
  class_key text not null,
  kind text not null,
  -- how many there are now, and of how many KiB or parts
  assets integer not null,
  units numeric not null,
  rate_id bigint not null,
  last_seen_at timestamptz not null,
  primary key (cluster_id, class_key)
);
comment on table asset_class is 'distributed: the classes of volumes, balancers and control planes that a cluster has or had';

create table asset (
  cluster_id text not null,
  asset_uid text not null,
  kind text not null,
  name text not null,
  namespace text not null,
  first_seen_at timestamptz not null,
  ended_at timestamptz,
  primary key (cluster_id, asset_uid)
);
comment on table asset is 'distributed: volumes and balancers that were seen, so that receipts can name them';

-- Pods without a node of their own are sized and paid for one by one: what they add up to now.
alter table node_class add column cpu_units numeric;
alter table node_class add column memory_units numeric;

-- How many workloads of the hour were too many to be kept apart.
alter table folded_hour add column other_workloads integer not null default 0;

-- When, and as which cluster, somebody else reported with this cluster's token.
alter table cluster_state add column foreign_uid text;
alter table cluster_state add column foreign_uid_at timestamptz;

create table team_mapping (
  -- there is one
  mapping_id text primary key,
  rules jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null
);
comment on table team_mapping is 'reference: which namespaces and labels belong to which team; evaluated when costs are read';
