-- The part of what was used for which no usage data arrived. A gap in the metrics is charged like use of all that was reserved, but
-- nobody knows whether it was used, so answers tell the two apart. Hours from before this column know it of GPUs alone.
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
