-- Sums of the stored hours, for answers. They are stored per rate, like the hours, so that prices still apply when they are
-- read. A window is full days plus the hours at both ends. Also jobs that users wait for.

-- Known seconds are counted per container, so their total has to be counted per container too.
alter table workload_hour add column container_seconds bigint not null default 0;

-- When a user requested a new snapshot; null again after a snapshot was folded.
alter table cluster_state add column sync_requested_at timestamptz;

create table cluster_hour (
  cluster_id text not null,
  hour timestamptz not null,
  rate_id bigint not null,
  seconds numeric not null, bridged_seconds numeric not null,
  cpu_capacity numeric not null, cpu_allocatable numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_reserved numeric not null,
  memory_capacity numeric not null, memory_allocatable numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_reserved numeric not null,
  gpu_capacity numeric not null, gpu_allocatable numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_reserved numeric not null,
  primary key (cluster_id, hour, rate_id)
);
comment on table cluster_hour is 'distributed: sums of node_hour over the nodes';

create table cluster_day (
  cluster_id text not null,
  day timestamptz not null,
  rate_id bigint not null,
  seconds numeric not null, bridged_seconds numeric not null,
  cpu_capacity numeric not null, cpu_allocatable numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_reserved numeric not null,
  memory_capacity numeric not null, memory_allocatable numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_reserved numeric not null,
  gpu_capacity numeric not null, gpu_allocatable numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_reserved numeric not null,
  primary key (cluster_id, day, rate_id)
);
comment on table cluster_day is 'distributed: sums of cluster_hour over a UTC day';

create table node_day (
  cluster_id text not null,
  day timestamptz not null,
  node_uid text not null,
  rate_id bigint not null,
  seconds numeric not null,
  cpu_capacity numeric not null, cpu_allocatable numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_reserved numeric not null,
  memory_capacity numeric not null, memory_allocatable numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_reserved numeric not null,
  gpu_capacity numeric not null, gpu_allocatable numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_reserved numeric not null,
  primary key (cluster_id, day, node_uid, rate_id)
) partition by range (day);
comment on table node_day is 'distributed: sums of node_hour over a UTC day';

create table namespace_hour (
  cluster_id text not null,
  hour timestamptz not null,
  namespace text not null,
  rate_id bigint not null,
  seconds numeric not null, container_seconds numeric not null,
  cpu_request numeric not null, cpu_usage numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_known numeric not null,
  memory_request numeric not null, memory_usage numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_known numeric not null,
  gpu_request numeric not null, gpu_usage numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_known numeric not null,
  primary key (cluster_id, hour, namespace, rate_id)
);
comment on table namespace_hour is 'distributed: sums of workload_hour over the workloads of a namespace';

create table namespace_day (
  cluster_id text not null,
  day timestamptz not null,
  namespace text not null,
  rate_id bigint not null,
  seconds numeric not null, container_seconds numeric not null,
  cpu_request numeric not null, cpu_usage numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_known numeric not null,
  memory_request numeric not null, memory_usage numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_known numeric not null,
  gpu_request numeric not null, gpu_usage numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_known numeric not null,
  primary key (cluster_id, day, namespace, rate_id)
);
comment on table namespace_day is 'distributed: sums of namespace_hour over a UTC day';

create table workload_day (
  cluster_id text not null,
  day timestamptz not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  labels jsonb not null,
  labels_hash text not null,
  rate_id bigint not null,
  seconds numeric not null, container_seconds numeric not null,
  cpu_request numeric not null, cpu_usage numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_known numeric not null,
  memory_request numeric not null, memory_usage numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_known numeric not null,
  gpu_request numeric not null, gpu_usage numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_known numeric not null,
  primary key (cluster_id, day, namespace, workload_kind, workload_name, labels_hash, rate_id)
) partition by range (day);
comment on table workload_day is 'distributed: sums of workload_hour over a UTC day';

-- A row exists while the sums of the day are valid. Writing one of its hours deletes the row in the same transaction. Until a
-- job has summed up the day again, its hours are read one by one.
create table folded_day (
  cluster_id text not null,
  day timestamptz not null,
  -- number of written hours
  hours integer not null,
  primary key (cluster_id, day)
);
comment on table folded_day is 'distributed: days with valid sums';

create table job (
  job_id text primary key,
  cluster_id text not null references cluster (cluster_id) on delete cascade,
  kind text not null default 'sync' check (kind in ('sync')),
  stage text not null default 'queued' check (stage in ('queued', 'recalculating', 'waiting_for_agent', 'done')),
  result jsonb,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz
);
-- One running job per cluster: a second request returns the same job.
create unique index job_live on job (cluster_id, kind) where finished_at is null;
create index job_by_age on job (created_at);
comment on table job is 'local: jobs that a user requested and waits for';
