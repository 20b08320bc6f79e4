-- Running totals of workloads, so that a window of many days needs few rows of each workload. The total of a day contains all days with
-- data since `running_since`. A window is the total of its last day, less the total of the day before its first day.
alter table folded_day add column running_since timestamptz;
comment on column folded_day.running_since is 'first day of the running totals of this day; null without them; the day itself if it starts new totals';

create table workload_running_total (
  cluster_id text not null,
  day timestamptz not null,
  namespace text not null,
  workload_kind text not null,
  workload_name text not null,
  labels jsonb not null,
  labels_hash text not null,
  rate_id bigint not null,
  seconds numeric not null, container_seconds numeric not null,
  cpu_request numeric not null, cpu_usage numeric not null, cpu_alloc numeric not null, cpu_used numeric not null, cpu_unmeasured numeric not null, cpu_known numeric not null,
  memory_request numeric not null, memory_usage numeric not null, memory_alloc numeric not null, memory_used numeric not null, memory_unmeasured numeric not null, memory_known numeric not null,
  gpu_request numeric not null, gpu_usage numeric not null, gpu_alloc numeric not null, gpu_used numeric not null, gpu_unmeasured numeric not null, gpu_known numeric not null,
  primary key (cluster_id, day, namespace, workload_kind, workload_name, labels_hash, rate_id)
) partition by range (day);
comment on table workload_running_total is 'distributed: sums of workload_day from the start of the running totals to a UTC day';
