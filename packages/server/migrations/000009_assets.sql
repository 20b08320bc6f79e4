-- Cost besides nodes: volumes, load balancers and the control plane. KiB-seconds of volumes, and seconds of parts of resources
-- that are sold as a unit, per user. They are not measured: an hour is replaced when one of its facts changes.

-- Per KiB or part, and second. Null for node classes, and without a price; not 0.
alter table rate add column asset_usd_per_unit_second numeric;

create table asset_hour (
  cluster_id text not null,
  hour timestamptz not null,
  -- volume, balancer or control_plane
  kind text not null,
  asset_uid text not null,
  -- workload: the workload that used it is named · otherwise without an owner: unmounted, unattached, overhead
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
comment on table asset_hour is 'distributed: quantity of each volume, load balancer and control plane in an hour, per user and rate';

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
  -- current number of resources, and their KiB or parts
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

-- Pods that are billed by pod and not by node: their current sums.
alter table node_class add column cpu_units numeric;
alter table node_class add column memory_units numeric;

-- Number of workloads of the hour that were merged because the hour had too many.
alter table folded_hour add column other_workloads integer not null default 0;

-- The UID of another cluster that reported with the token of this cluster, and when.
alter table cluster_state add column foreign_uid text;
alter table cluster_state add column foreign_uid_at timestamptz;

create table team_mapping (
  -- only one row exists
  mapping_id text primary key,
  rules jsonb not null,
  revision integer not null default 1,
  updated_at timestamptz not null
);
comment on table team_mapping is 'reference: which namespaces and labels belong to which team; evaluated when costs are read';
