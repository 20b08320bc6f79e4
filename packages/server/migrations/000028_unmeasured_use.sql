-- The part of used cost without usage data. A gap in the metrics is charged as if the whole request were used. It is unknown
-- whether it was used, so answers show this part separately. Hours from before this column have it for GPUs only.
do $$
declare
  name text;
begin
  foreach name in array array['workload_hour', 'workload_day', 'namespace_hour', 'namespace_day', 'node_hour', 'node_day', 'cluster_hour', 'cluster_day'] loop
    execute format(
      'alter table %I add column cpu_unmeasured numeric not null default 0, add column memory_unmeasured numeric not null default 0, '
      'add column gpu_unmeasured numeric not null default 0', name);
    execute format('update %I set gpu_unmeasured = gpu_used where gpu_used > 0', name);
  end loop;
end $$;
